/*---
description: Orders in a state.
params: { status: { description: The state. } }
---*/
SELECT id FROM orders WHERE status = << status >> ORDER BY id LIMIT 5
