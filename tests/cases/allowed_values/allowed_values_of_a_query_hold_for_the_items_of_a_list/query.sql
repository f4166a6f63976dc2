/*---
params:
  statuses: { allowed_values: { query: SELECT DISTINCT status FROM orders } }
---*/
SELECT count(*) AS n FROM orders WHERE status IN << statuses >>
