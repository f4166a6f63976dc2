/*---
params:
  since: { minimum: 2023-01-01 }
---*/
SELECT id
FROM orders
WHERE day >= << since >>
