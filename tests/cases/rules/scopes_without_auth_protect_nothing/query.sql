/*---
description: Orders.
scopes: [orders.read] # warning: [missing-auth]
---*/
SELECT id FROM orders
