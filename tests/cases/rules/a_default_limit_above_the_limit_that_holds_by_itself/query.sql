/*---
# error: [invalid-setting]
default_limit: 101
---*/
SELECT id FROM orders
