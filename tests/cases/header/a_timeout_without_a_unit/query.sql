/*---
# error: [invalid-value]
timeout: 30
---*/
SELECT id FROM orders
