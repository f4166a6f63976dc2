/*---
# error: [invalid-value]
kind: table
---*/
SELECT id FROM orders
