/*---
params: { status: { allowed_values: [open] } }
---*/
SELECT count(*) AS orders FROM orders WHERE status = << status >>
