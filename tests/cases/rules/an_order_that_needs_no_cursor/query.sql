/*---
description: What customers spent, most first.
expose: [limit]
---*/
SELECT sum(price) AS spent
FROM orders
GROUP BY customer_id
ORDER BY spent DESC
