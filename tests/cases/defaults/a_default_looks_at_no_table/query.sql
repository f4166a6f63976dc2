/*---
params:
  # error: [invalid-default]
  a: { default: { sql: (SELECT max(quantity) FROM orders) } }
  # error: [invalid-default]
  b: { default: { sql: (SELECT 1) } }
  # error: [invalid-default]
  c: { default: { sql: "EXISTS (SELECT 1 FROM orders)" } }
  # error: [invalid-default]
  d: { default: { sql: "1 IN (SELECT id FROM orders)" } }
---*/
SELECT id FROM orders WHERE quantity >= << a >> AND id > << b >> AND << c >> AND << d >>
