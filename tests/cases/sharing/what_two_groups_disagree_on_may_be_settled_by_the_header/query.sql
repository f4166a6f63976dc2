/*---
params_from: [common_dates, old_dates]
params: { since: { default: 2024-12-01 } }
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
