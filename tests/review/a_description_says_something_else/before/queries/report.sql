/*---
description: Orders.
---*/
SELECT id, status, quantity FROM orders
