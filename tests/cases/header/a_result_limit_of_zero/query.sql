/*---
# error: [invalid-value]
result_limit: 0
---*/
SELECT id FROM orders
