/*---
kind: view
result_limit: none
---*/
SELECT id FROM orders
