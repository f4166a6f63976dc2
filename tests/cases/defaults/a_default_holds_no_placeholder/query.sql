/*---
params:
  # error: [invalid-default]
  a: { default: { sql: << b >> + 1 } }
  # error: [raw-placeholder]
  c: { default: { sql: $1 + 1 } }
---*/
SELECT id FROM orders WHERE quantity >= << a >> AND id > << b = 1 >> AND id > << c >>
