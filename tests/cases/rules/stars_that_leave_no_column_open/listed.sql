/*---
kind: view
---*/
SELECT id, status FROM orders
