/*---
table_format: csv
---*/
SELECT id, status, quantity FROM orders
