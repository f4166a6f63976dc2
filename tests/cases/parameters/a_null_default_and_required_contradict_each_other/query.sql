/*---
params:
  least: { default: null, required: true } # error: [conflicting-configuration]
---*/
SELECT id FROM orders WHERE quantity >= << least >>
