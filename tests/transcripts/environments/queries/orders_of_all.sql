/*---
description: All orders.
---*/
SELECT id, status FROM orders ORDER BY id LIMIT 5
