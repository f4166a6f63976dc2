/*---
default_limit: 20
---*/
SELECT id, status, quantity FROM orders
