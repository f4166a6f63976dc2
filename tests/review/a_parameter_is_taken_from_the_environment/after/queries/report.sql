/*---
params:
  customer: { from: env.CUSTOMER }
---*/
SELECT id
FROM orders
WHERE customer_id = << customer >>
