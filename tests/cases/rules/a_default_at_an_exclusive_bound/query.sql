/*---
params:
  # error: [invalid-default]
  most: { exclusive_maximum: 10, default: 10 }
---*/
SELECT id FROM orders WHERE quantity <= << most >>
