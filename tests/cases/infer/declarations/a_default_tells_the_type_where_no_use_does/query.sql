/*---
params: { e: { default: 2 }, f: { default: [a, b] } }
---*/
SELECT
  << a = 'x' >> AS a, price * << b = 1.5 >> AS b, << c = DATE '2024-01-01' >> AS c, << d = true >> AS d,
  quantity + << e >> AS e, << f >> AS f
FROM orders
