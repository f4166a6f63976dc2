/*---
params:
  status: { allowed_values: { query: SELECT status FROM orders } }
---*/
SELECT count(*) AS n FROM orders WHERE true [[ AND status = << status >> ]]
