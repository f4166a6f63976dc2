/*---
params:
  since: { default: { sql: "CURRENT_DATE  -  7" } }
---*/
SELECT id
FROM orders
WHERE day >= << since >>
