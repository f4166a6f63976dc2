/*---
description: Orders with their state.
---*/
SELECT id, status, quantity FROM orders
