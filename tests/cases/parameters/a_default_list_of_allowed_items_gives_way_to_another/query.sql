/*---
params: { statuses: { allowed_values: [open, shipped, returned], default: [open] } }
---*/
SELECT count(*) AS orders FROM orders WHERE status IN << statuses >>
