/*---
kind: view
---*/
SELECT id, upper(status) AS label FROM orders
