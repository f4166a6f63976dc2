/*---
description: Orders.
# error: [invalid-value]
strict: "true"
# error: [invalid-value]
scopes: orders.read
params: { state: { description: A state. } }
---*/
SELECT id FROM orders WHERE status = << state >> ORDER BY id LIMIT 5
