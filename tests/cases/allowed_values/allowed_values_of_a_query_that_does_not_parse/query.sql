/*---
params:
  # error: [syntax-error]
  a: { allowed_values: { query: SELEC city FROM customers } }
  # error: [syntax-error]
  b: { allowed_values: { query: SELECT city FROM customers WHERE } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b
