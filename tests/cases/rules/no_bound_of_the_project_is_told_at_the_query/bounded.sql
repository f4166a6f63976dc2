/*---
result_limit: 50
---*/
SELECT id FROM orders
