/*---
version: 1.1.0
---*/
SELECT id, status, quantity FROM orders
