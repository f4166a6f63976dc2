/*---
description: Orders.
# error: [invalid-yaml]
description: Other orders.
---*/
SELECT id FROM orders
