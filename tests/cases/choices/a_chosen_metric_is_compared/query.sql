/*---
params:
  metric: { choices: { pieces: quantity, value: price } }
---*/
SELECT id FROM orders WHERE << metric >> > << least >> AND id <= 10 ORDER BY id
