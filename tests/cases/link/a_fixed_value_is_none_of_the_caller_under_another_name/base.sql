/*---
params:
  customer: { from: claim.customer }
  # error: [invalid-setting]
  other: { fixed: 7 }
---*/
SELECT id FROM orders WHERE customer_id = << customer >> AND quantity > << other >>
