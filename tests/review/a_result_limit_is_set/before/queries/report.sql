/*---
result_limit: none
---*/
SELECT id, status, quantity FROM orders
