/*---
# error: [invalid-value]
result_limit: -1
---*/
SELECT id FROM orders
