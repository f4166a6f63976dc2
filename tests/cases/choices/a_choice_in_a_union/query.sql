/*---
params:
  by: { choices: { status: status, customer: CAST(customer_id AS text) } }
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1
UNION ALL
SELECT 'total', count(*) FROM orders
ORDER BY orders DESC, key
