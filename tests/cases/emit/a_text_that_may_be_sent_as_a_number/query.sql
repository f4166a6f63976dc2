/*---
description: Orders in a state.
params: { state: { description: The state., type: text | bigint } }
expose: []
---*/
SELECT id FROM orders WHERE status = << state >> LIMIT 5
