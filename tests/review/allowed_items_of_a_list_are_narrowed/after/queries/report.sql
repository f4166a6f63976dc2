/*---
params:
  states: { allowed_values: [open, sent] }
---*/
SELECT id
FROM orders
WHERE status IN << states >>
