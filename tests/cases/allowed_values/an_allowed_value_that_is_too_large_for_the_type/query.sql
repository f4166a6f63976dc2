/*---
params:
  # error: [invalid-allowed-value]
  a: { type: smallint, allowed_values: { query: SELECT big FROM items } }
  # error: [invalid-allowed-value]
  b: { allowed_values: { query: SELECT price FROM orders } }
---*/
SELECT id FROM orders WHERE quantity = << a >> AND quantity = << b >>
