/*---
structured_output: false
---*/
SELECT id, status, quantity FROM orders
