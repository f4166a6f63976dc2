/*---
params:
  least: { default: null }
---*/
SELECT id FROM orders
-- error: [conflicting-configuration]
WHERE quantity >= << least = 5 >>
