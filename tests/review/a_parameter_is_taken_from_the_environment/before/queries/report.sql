/*---
params:
  customer: { from: header.x-customer }
---*/
SELECT id
FROM orders
WHERE customer_id = << customer >>
