/*---
params:
  x: { choices: { sum: id + quantity, difference: id - quantity, alone: id } }
  which: { choices: { either: "status = 'open' OR quantity > 5", both: "status = 'shipped' AND quantity > 5", all: "true" } }
---*/
SELECT id, << x >> * 2 AS twice, 100 - << x >> AS rest FROM orders WHERE NOT << which >> AND id < 5 AND << x >> BETWEEN -10 AND 10 ORDER BY id
