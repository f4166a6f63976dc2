/*---
params:
  metric: { choices: { pieces: quantity, value: price } }
---*/
SELECT id FROM orders WHERE << metric >> IN << values >> ORDER BY id
