/*---
tags: [orders, sales]
---*/
SELECT id, status, quantity FROM orders
