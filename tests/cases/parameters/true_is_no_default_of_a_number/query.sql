/*---
params:
  # error: [invalid-default]
  least: { default: true }
---*/
SELECT id FROM orders WHERE quantity >= << least >>
