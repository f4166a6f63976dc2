/*---
params:
  # error: [invalid-setting]
  customer: { fixed: 1, from: claim.customer }
---*/
SELECT id FROM orders WHERE customer_id = << customer >> LIMIT 5
