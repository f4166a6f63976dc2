/*---
params: { statuses: { allowed_values: [open, shipped, returned, cancelled] } }
---*/
SELECT count(*) AS orders FROM orders WHERE status IN << statuses >>
