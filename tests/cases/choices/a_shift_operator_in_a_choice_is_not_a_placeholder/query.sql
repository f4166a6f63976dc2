/*---
params:
  x: { choices: { quadruple: quantity << 2, half: quantity >> 1 } }
---*/
SELECT id, << x >> AS x FROM orders WHERE id <= 3 ORDER BY id
