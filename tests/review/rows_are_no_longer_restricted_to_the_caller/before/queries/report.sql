/*---
params:
  customer: { from: claim.customer }
---*/
SELECT id
FROM orders
WHERE quantity > 1 AND customer_id = << customer >>
