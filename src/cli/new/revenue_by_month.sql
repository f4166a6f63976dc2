/*---
description: Number and sum of the orders of each month, without cancelled ones.
params:
  since: { description: First day. }
---*/
SELECT date_trunc('month', placed_at) AS month, count(*) AS orders, sum(total) AS revenue
FROM orders
WHERE status <> 'cancelled'
  AND placed_at >= << since = TIMESTAMP '2025-01-01T00:00:00' >>
GROUP BY 1
ORDER BY 1
