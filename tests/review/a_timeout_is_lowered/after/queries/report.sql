/*---
timeout: 5s
---*/
SELECT id, status, quantity FROM orders
