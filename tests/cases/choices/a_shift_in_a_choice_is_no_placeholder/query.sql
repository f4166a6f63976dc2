/*---
params: { x: { choices: { left: quantity << 2, right: quantity >> 1, both: quantity << 2 >> 1 } } }
---*/
SELECT id, << x >> + 1 AS n FROM orders WHERE id <= 3 ORDER BY id
