/*---
params:
  x: { choices: { sum: quantity + customer_id, negative: -quantity, shifted: quantity << 1, plain: quantity } }
---*/
SELECT id, << x >> * 2 AS twice, 100 -<< x >> AS rest, - << x >> AS minus, << x >> || '' AS words
FROM orders WHERE id IN (2, 5) ORDER BY id
