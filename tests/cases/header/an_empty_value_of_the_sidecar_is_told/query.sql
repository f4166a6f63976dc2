/*---
timeout: 5s
---*/
SELECT id FROM orders
