/*---
params:
  account: { from: claim.customer }
---*/
SELECT id
FROM orders
WHERE customer_id = << account >>
