/*---
params:
  # error: [invalid-allowed-value]
  a: { allowed_values: { query: "SELECT city, name FROM customers" } }
  # error: [invalid-allowed-value]
  b: { allowed_values: { query: SELECT * FROM customers } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b
