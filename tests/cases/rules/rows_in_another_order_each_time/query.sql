/*---
description: What customers spent, most first.
---*/
SELECT sum(price) AS spent
FROM orders
GROUP BY customer_id
-- warning: [unstable-order]
ORDER BY spent DESC
