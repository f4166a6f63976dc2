/*---
params:
  n: { allowed_values: { query: "SELECT CASE WHEN value > 10000 THEN 1 ELSE value END FROM generate_series(1, 10500) UNION ALL SELECT NULL" } }
---*/
SELECT << n: bigint >> AS n
