/*---
default_limit: 50
---*/
SELECT id, status, quantity FROM orders
