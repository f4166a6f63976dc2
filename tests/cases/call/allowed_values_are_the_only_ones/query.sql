/*---
params: { status: { allowed_values: [open, shipped, returned, cancelled], default: open } }
---*/
SELECT count(*) AS orders FROM orders WHERE status = << status >>
