/*---
params:
  metric: { choices: { pieces: quantity, value: price } }
---*/
SELECT id FROM orders WHERE id < 9 [[ AND << metric >> >= << least >> ]] ORDER BY << metric >> DESC, id
