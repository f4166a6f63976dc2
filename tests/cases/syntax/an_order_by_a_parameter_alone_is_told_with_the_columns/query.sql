/*---
description: Orders.
---*/
SELECT id, placed_at, quantity AS "Quantity"
FROM orders
-- error: [constant-key]
ORDER BY << column >>
