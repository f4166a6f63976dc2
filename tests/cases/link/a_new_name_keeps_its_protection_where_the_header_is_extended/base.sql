/*---
params:
  customer: { from: claim.customer }
  status: { fixed: open }
  least: { hidden: true, default: 2 }
  most: { maximum: 55, required: false }
---*/
SELECT id, quantity
FROM orders
WHERE customer_id = << customer >> AND status = << status >> AND quantity >= << least >> [[ AND quantity <= << most >> ]]
