/*---
params:
  # error: [invalid-allowed-value]
  status: { allowed_values: [open, Shipped], pattern: "^[a-z]+$" }
---*/
SELECT id FROM orders WHERE status = << status >>
