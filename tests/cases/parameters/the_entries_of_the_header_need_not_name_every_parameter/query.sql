/*---
params: { status: { description: State of the order. } }
---*/
SELECT id FROM orders WHERE status = << status >> AND quantity >= << least >> ORDER BY id
