/*---
description: The numbers of the orders of each status.
---*/
SELECT status, array_agg(id) AS ids
FROM orders
GROUP BY status, day
-- warning: [unstable-order]
ORDER BY status
