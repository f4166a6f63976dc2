/*---
description: Orders in a state.
result_limit: 100
params:
  state: { allowed_values: [open, paid, sent] }
---*/
SELECT id, status, price AS cost, day
FROM orders
WHERE status = << state >>
ORDER BY day
