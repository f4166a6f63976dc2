/*---
params:
  customer: { from: claim.customer.id }
---*/
SELECT count(*) AS n FROM orders WHERE customer_id = << customer >> AND price > << least >>
