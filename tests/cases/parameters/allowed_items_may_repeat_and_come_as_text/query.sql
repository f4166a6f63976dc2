/*---
params: { statuses: { allowed_values: [open, shipped] } }
---*/
SELECT count(*) AS orders FROM orders WHERE status IN << statuses >>
