/*---
params:
  # error: [invalid-allowed-value]
  a: { allowed_values: { query: SELECT city FROM customers WHERE id > 100 } }
  # error: [invalid-allowed-value]
  b: { allowed_values: { query: "SELECT note FROM orders WHERE id IN (4, 18)" } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b
