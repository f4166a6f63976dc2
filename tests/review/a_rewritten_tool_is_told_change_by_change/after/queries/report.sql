/*---
description: Orders in a state, newest first.
result_limit: 50
params:
  state: { allowed_values: [open, paid] }
---*/
SELECT id, status, price AS amount, coalesce(note, '') AS note
FROM orders
WHERE status = << state >>
  [[ AND customer_id = << customer >> ]]
ORDER BY day DESC
