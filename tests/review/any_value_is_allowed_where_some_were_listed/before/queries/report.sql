/*---
params:
  state: { allowed_values: [open, paid] }
---*/
SELECT id
FROM orders
WHERE status = << state >>
