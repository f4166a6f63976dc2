/*---
# error: [invalid-value]
timeout: 30 seconds
---*/
SELECT id FROM orders
