/*---
definition: compact
---*/
SELECT id, status, quantity FROM orders
