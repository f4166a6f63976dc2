/*---
params:
  # error: [invalid-default]
  a: { default: { sql: "1, 2" } }
  # error: [invalid-default]
  b: { default: { sql: 1 AS one } }
  # error: [invalid-default]
  c: { default: { sql: 1; SELECT 2 } }
  # error: [invalid-default]
  d: { default: { sql: 1 DESC } }
  # error: [invalid-default]
  e: { default: { sql: "" } }
  # error: [invalid-default]
  f: { default: { sql: "1) + (2" } }
---*/
SELECT id FROM orders WHERE id > << a >> AND id > << b >> AND id > << c >> AND id > << d >> AND id > << e >> AND id > << f >>
