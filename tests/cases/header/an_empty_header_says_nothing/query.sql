/*---
---*/
SELECT id FROM orders
