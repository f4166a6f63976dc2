/*---
params:
  since: { default: { sql: "current_date - 30" } }
---*/
SELECT id
FROM orders
WHERE day >= << since >>
