/*---
kind: view
params: { since: { description: First day., default: { sql: current_date - 30 } } }
---*/
SELECT id, status FROM orders WHERE day >= << since >>
