/*---
# error: [invalid-value]
timeout: 0s
---*/
SELECT id FROM orders
