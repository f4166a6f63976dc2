/*---
version: 1.0.0
---*/
SELECT id, status, quantity FROM orders
