/*---
params:
  # error: [unknown-key]
  a: { allowed_values: { query: SELECT city FROM customers, refersh: 1h } }
---*/
SELECT << a: text >> AS a
