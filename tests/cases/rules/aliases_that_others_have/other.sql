/*---
aliases: [old]
---*/
SELECT id FROM orders LIMIT 5
