/*---
description: Orders in a state.
aliases: [orders_of]
params: { status: { description: The state. } }
---*/
SELECT id FROM orders WHERE status = << status >> ORDER BY id LIMIT 5
