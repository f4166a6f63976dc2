/*---
# error: [conflicting-configuration]
params_from: [common_dates, old_dates]
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
