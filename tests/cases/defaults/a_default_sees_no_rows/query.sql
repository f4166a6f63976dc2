/*---
params:
  # error: [invalid-default]
  a: { default: { sql: count(*) } }
  # error: [invalid-default]
  b: { default: { sql: max(1) + 1 } }
  # error: [invalid-default]
  c: { default: { sql: row_number() OVER () } }
---*/
SELECT id FROM orders
-- error: [invalid-default]
WHERE quantity >= << a >> AND id > << b >> AND id > << c >> AND id > << d = sum(1) >>
