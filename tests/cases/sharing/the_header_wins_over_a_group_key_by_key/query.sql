/*---
params_from: common_dates
params:
  since: { default: 2024-12-01 }
  until: { maximum: 2024-12-31, description: The very last day. }
---*/
SELECT id FROM orders WHERE day BETWEEN << since >> AND << until >> ORDER BY id
