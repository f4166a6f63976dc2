/*---
kind: view
---*/
SELECT id FROM orders WHERE quantity > 20
