/*---
description: Orders.
params: { least: { hidden: true, default: 3 } }
---*/
SELECT id FROM orders WHERE quantity >= << least >> ORDER BY id LIMIT 5
