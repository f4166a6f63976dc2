/*---
params:
  status: { allowed_values: { query: SELECT status FROM orders ORDER BY id } }
---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
