/*---
params:
  # error: [invalid-default]
  least: { multiple_of: 5, default: 7 }
---*/
SELECT id FROM orders WHERE quantity >= << least >>
