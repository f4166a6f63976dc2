/*---
params:
  # error: [unknown-function]
  a: { default: { sql: nov() } }
---*/
SELECT id
FROM orders
WHERE placed_at > << a >>
-- error: [unknown-function]
  AND note = << b = getenv('HOME') >>
