/*---
params:
  # error: [conflicting-configuration]
  since: { required: true }
---*/
SELECT count(*) AS n
FROM orders
WHERE day >= << since = current_date >>
