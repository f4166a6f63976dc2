/*---
expose: [table_format, limit]
---*/
SELECT id, status, quantity FROM orders
