/*---
count_total: true
---*/
SELECT id, status, quantity FROM orders
