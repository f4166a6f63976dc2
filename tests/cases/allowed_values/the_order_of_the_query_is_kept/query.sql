/*---
params:
  status: { allowed_values: { query: SELECT status FROM orders GROUP BY status ORDER BY max(day) DESC } }
---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
