/*---
params:
  state: { description: State of the order. }
---*/
SELECT id
FROM orders
WHERE status = << state >>
