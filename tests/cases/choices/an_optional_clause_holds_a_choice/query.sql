/*---
params:
  metric: { choices: { pieces: quantity, value: price } }
---*/
SELECT count(*) AS n FROM orders WHERE true [[ AND << metric >> > << least >> ]]
