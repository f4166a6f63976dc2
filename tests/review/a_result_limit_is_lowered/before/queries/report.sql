/*---
result_limit: 100
---*/
SELECT id, status, quantity FROM orders
