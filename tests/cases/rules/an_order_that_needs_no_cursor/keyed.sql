/*---
description: Customers, those first who spent most.
---*/
SELECT customer_id, sum(price) AS spent, array_agg(id) AS ids
FROM orders
GROUP BY customer_id
ORDER BY spent DESC
