/*---
description: Orders.
params: { status: { fixed: open } }
---*/
SELECT id FROM orders WHERE status = << status >> ORDER BY id LIMIT 5
