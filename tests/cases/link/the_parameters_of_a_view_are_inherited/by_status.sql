/*---
kind: view
params: { status: { description: The status of the order., allowed_values: [open, shipped], default: open } }
---*/
SELECT id, quantity FROM orders WHERE status = << status >>
