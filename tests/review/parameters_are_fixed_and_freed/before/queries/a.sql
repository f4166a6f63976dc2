/*---
description: Orders.
params: { status: { fixed: open }, least: { description: Smallest quantity. }, customer: { fixed: 1 } }
---*/
SELECT id FROM orders WHERE status = << status >> AND quantity >= << least >> AND customer_id = << customer >> ORDER BY id LIMIT 5
