/*---
params:
  # error: [invalid-value]
  a: { allowed_values: { query: SELECT city FROM customers, refresh: weekly } }
  # error: [invalid-value]
  b: { allowed_values: { query: SELECT city FROM customers, refresh: 30 } }
  # error: [invalid-value]
  c: { allowed_values: { query: SELECT city FROM customers, refresh: 0s } }
  # error: [invalid-value]
  d: { allowed_values: { query: SELECT city FROM customers, refresh: -1h } }
  # error: [invalid-value]
  e: { allowed_values: { query: SELECT city FROM customers, refresh: Startup } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b, << c: text >> AS c, << d: text >> AS d, << e: text >> AS e
