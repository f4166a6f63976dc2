/*---
# error: [invalid-setting]
default_limit: 11
---*/
SELECT id FROM orders
