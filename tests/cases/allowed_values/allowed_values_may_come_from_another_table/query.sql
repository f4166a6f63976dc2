/*---
params:
  customer: { allowed_values: { query: SELECT id FROM customers WHERE vip } }
---*/
SELECT id FROM orders WHERE customer_id = << customer >> ORDER BY id
