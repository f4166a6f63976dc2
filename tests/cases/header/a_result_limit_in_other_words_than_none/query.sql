/*---
# error: [invalid-value]
result_limit: all
---*/
SELECT id FROM orders
