/*---
params:
  # error: [conflicting-configuration]
  least: { required: true, default: 5 }
---*/
SELECT id FROM orders WHERE quantity >= << least >>
