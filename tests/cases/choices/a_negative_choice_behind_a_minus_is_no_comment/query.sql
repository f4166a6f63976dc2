/*---
params: { x: { choices: { minus: "-quantity", plus: quantity, number: "-5" } } }
---*/
SELECT id, -<< x >> AS turned, 10 -<< x >> AS rest FROM orders WHERE id < 4 ORDER BY id
