/*---
params:
  customer: { from: claim.account }
---*/
SELECT id
FROM orders
WHERE customer_id = << customer >>
