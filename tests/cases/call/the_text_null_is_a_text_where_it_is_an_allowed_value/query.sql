/*---
params:
  status: { allowed_values: [open, 'null'] }
---*/
SELECT count(*) AS n FROM orders WHERE true [[ AND status = << status >> ]]
