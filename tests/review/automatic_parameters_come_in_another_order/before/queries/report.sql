/*---
expose: [limit, table_format]
---*/
SELECT id, status, quantity FROM orders
