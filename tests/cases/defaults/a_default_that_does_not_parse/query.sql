/*---
params:
  # error: [syntax-error]
  a: { default: { sql: 1 + } }
---*/
SELECT id
FROM orders
WHERE id > << a >>
-- error: [syntax-error]
  AND id > << b = 2 * >>
