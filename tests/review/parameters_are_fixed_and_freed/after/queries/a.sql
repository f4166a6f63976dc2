/*---
description: Orders.
params: { status: { description: The state. }, least: { fixed: 3 }, customer: { fixed: 2 } }
---*/
SELECT id FROM orders WHERE status = << status >> AND quantity >= << least >> AND customer_id = << customer >> ORDER BY id LIMIT 5
