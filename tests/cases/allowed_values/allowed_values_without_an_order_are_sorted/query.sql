/*---
params:
  status: { allowed_values: { query: SELECT status FROM orders } }
  quantity: { allowed_values: { query: SELECT quantity FROM orders } }
---*/
SELECT id FROM orders WHERE status = << status >> AND quantity = << quantity >> ORDER BY id
