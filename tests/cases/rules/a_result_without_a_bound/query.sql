/*---
# warning: [unbounded-result]
result_limit: none
---*/
SELECT id FROM orders
