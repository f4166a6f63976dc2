/*---
description: What customers spent, most first.
lints: { unstable-order: allow }
---*/
SELECT sum(price) AS spent
FROM orders
GROUP BY customer_id
ORDER BY spent DESC
