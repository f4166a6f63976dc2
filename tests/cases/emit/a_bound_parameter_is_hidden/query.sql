/*---
description: Orders of the caller.
params:
  customer: { from: claim.customer_id }
  least: { description: Smallest price. }
---*/
SELECT id FROM orders WHERE customer_id = << customer >> AND price > << least >>
