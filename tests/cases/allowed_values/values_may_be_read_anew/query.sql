/*---
params:
  a: { allowed_values: { query: SELECT city FROM customers, refresh: startup } }
  b: { allowed_values: { query: SELECT name FROM customers, refresh: 1h } }
  c: { allowed_values: { query: SELECT status FROM orders, refresh: 30s } }
  d: { allowed_values: { query: SELECT quantity FROM orders, refresh: 24h } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b, << c: text >> AS c, << d: bigint >> AS d
