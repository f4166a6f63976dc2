/*---
max_bytes: 32KiB
---*/
SELECT id, status, quantity FROM orders
