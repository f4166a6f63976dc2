/*---
params:
  which: { choices: { either: status = 'open' OR status = 'shipped', dear: price > 50, between: price BETWEEN 5 AND 20 } }
---*/
SELECT id FROM orders WHERE id <= 12 AND NOT << which >> AND quantity < 5 ORDER BY id
