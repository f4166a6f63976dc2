/*---
params:
  # error: [invalid-default]
  least: { default: few }
---*/
SELECT id FROM orders WHERE quantity >= << least >>
