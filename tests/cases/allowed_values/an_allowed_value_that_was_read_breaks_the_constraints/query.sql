/*---
params:
  # error: [invalid-allowed-value]
  a: { pattern: "^[a-z]+$", allowed_values: { query: SELECT city FROM customers } }
  # error: [invalid-allowed-value]
  b: { maximum: 5, allowed_values: { query: SELECT id FROM customers } }
  # error: [invalid-allowed-value]
  c: { max_length: 4, allowed_values: { query: SELECT status FROM orders } }
---*/
SELECT << a: text >> AS a, << b: bigint >> AS b, << c: text >> AS c
