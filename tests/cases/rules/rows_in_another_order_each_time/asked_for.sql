/*---
description: A few orders.
# warning: [unstable-order]
expose: [limit, cursor]
---*/
SELECT status, random() AS luck
FROM orders
