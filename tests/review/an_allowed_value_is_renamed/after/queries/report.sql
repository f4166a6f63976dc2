/*---
params:
  state: { allowed_values: [open, payed] }
---*/
SELECT id
FROM orders
WHERE status = << state >>
