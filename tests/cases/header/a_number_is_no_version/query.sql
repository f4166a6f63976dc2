/*---
# error: [invalid-value]
version: 1.0
---*/
SELECT id FROM orders
