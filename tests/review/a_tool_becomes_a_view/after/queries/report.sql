/*---
kind: view
---*/
SELECT id, status, quantity FROM orders
