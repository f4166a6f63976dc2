/*---
result_limit: none
default_limit: 1000000
---*/
SELECT id FROM orders
