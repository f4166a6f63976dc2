/*---
max_bytes: 64KiB
---*/
SELECT id, status, quantity FROM orders
