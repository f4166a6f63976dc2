/*---
params:
  # error: [invalid-default]
  a: { allowed_values: [open, shipped], default: { sql: "lower('OPEN')" } }
  b: { allowed_values: [1, 2] }
  c: { allowed_values: { query: SELECT status FROM orders } }
---*/
SELECT id
FROM orders
WHERE status = << a >>
-- error: [invalid-default]
  AND id = << b = 1 + 1 >>
-- error: [invalid-default]
  AND status = << c = 'op' || 'en' >>
