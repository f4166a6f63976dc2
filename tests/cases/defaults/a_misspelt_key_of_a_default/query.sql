/*---
params:
  # error: [invalid-default]
  since: { default: { sqll: current_date } }
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
