/*---
# error: [unknown-group]
params_from: comon_dates
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
