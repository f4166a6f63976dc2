/*---
params:
  state: { allowed_values: [open, paid, sent] }
---*/
SELECT id
FROM orders
WHERE status = << state >>
