/*---
parameters_in_description: true
---*/
SELECT id
FROM orders
WHERE status = << state >>
