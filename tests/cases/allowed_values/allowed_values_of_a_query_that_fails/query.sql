/*---
params:
  # error: [invalid-allowed-value]
  a: { allowed_values: { query: SELECT CAST(note AS bigint) FROM orders } }
  # error: [invalid-allowed-value]
  b: { allowed_values: { query: SELECT id / (quantity - 1) FROM orders } }
---*/
SELECT << a: bigint >> AS a, << b: bigint >> AS b
