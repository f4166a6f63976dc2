/*---
params:
  # error: [invalid-setting]
  since: { from: claim.since, default: { sql: current_date } }
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
