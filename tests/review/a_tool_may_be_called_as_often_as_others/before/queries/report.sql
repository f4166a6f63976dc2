/*---
calls_per_second: 5
---*/
SELECT id, status, quantity FROM orders
