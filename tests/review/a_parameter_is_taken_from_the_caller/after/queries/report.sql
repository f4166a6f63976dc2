/*---
params:
  customer: { from: claim.customer }
---*/
SELECT id
FROM orders
WHERE customer_id = << customer >>
