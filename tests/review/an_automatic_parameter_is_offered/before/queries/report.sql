/*---
expose: [limit]
---*/
SELECT id, status, quantity FROM orders
