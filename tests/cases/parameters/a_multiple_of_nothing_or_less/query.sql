/*---
params:
  # error: [invalid-constraint]
  least: { multiple_of: 0 }
  # error: [invalid-constraint]
  price: { multiple_of: -0.5 }
---*/
SELECT id FROM orders WHERE quantity >= << least >> AND price >= << price >>
