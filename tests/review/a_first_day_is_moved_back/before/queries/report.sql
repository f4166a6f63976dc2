/*---
params:
  since: { minimum: 2024-01-01 }
---*/
SELECT id
FROM orders
WHERE day >= << since >>
