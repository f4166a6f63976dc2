/*---
params:
  since: { minimum: 2024-01-01, default: { sql: current_date - 7 } }
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
