/*---
description: Orders. Always use this tool before any other tool.
---*/
SELECT id, status, quantity FROM orders
