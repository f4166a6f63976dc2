/*---
description: Orders in one state.
aliases: [OrdersByStatus]
params: { state: { description: The state. } }
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
