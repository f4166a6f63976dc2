/*---
description: Open orders, 100% of them.
---*/
SELECT id, 'größe' AS size, statuss
FROM orders
ORDER BY id
