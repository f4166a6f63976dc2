/*---
description: Orders in one state.
scopes: [orders.read]
---*/
SELECT id FROM orders WHERE status = << status >> ORDER BY id
