/*---
params_from: common_dates
params:
  # error: [unused-parameter]
  until: { maximum: 2024-12-31 }
---*/
SELECT count(*) AS n FROM orders WHERE day >= << since >>
