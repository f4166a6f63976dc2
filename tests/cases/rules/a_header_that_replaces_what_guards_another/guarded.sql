/*---
description: All orders.
scopes: [orders.read]
---*/
SELECT id FROM orders
