/*---
params:
  metric: { choices: { pieces: quantity, value: price }, default: value }
---*/
SELECT count(*) AS n FROM orders WHERE true [[ AND << metric >> > << least >> ]]
