/*---
params:
  state: { allowed_values: [paid, open] }
---*/
SELECT id
FROM orders
WHERE status = << state >>
