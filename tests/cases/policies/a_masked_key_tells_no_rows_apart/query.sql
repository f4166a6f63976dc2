/*---
description: All of them.
---*/
SELECT id, parts, total, placed_on FROM orders ORDER BY placed_on, total
