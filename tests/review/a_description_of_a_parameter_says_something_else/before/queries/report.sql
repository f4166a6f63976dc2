/*---
params:
  state: { description: The state. }
---*/
SELECT id
FROM orders
WHERE status = << state >>
