/*---
tags: [orders]
---*/
SELECT id, status, quantity FROM orders
