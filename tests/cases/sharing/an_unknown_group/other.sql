/*---
# error: [unknown-group]
params_from: [common_dates, places]
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
