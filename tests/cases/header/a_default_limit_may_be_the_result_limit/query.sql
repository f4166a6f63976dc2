/*---
result_limit: 10
default_limit: 10
---*/
SELECT id FROM orders
