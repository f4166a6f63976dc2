/*---
params:
  # error: [conflicting-configuration]
  since: { required: true, default: { sql: current_date } }
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
