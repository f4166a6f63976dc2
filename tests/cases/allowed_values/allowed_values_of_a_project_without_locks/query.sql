/*---
params:
  status: { allowed_values: { query: SELECT status FROM orders WHERE day < DATE '2024-02-01' } }
---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
