/*---
# error: [invalid-value]
default_limit: 0
---*/
SELECT id FROM orders
