/*---
params:
  since: { default: { sql: "current_date - 7" } }
---*/
SELECT id
FROM orders
WHERE day >= << since >>
