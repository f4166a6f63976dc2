/*---
scopes: [orders.read]
---*/
SELECT id, status, quantity FROM orders
