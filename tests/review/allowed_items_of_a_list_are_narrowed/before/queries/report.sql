/*---
params:
  states: { allowed_values: [open, paid, sent] }
---*/
SELECT id
FROM orders
WHERE status IN << states >>
