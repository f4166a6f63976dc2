/*---
params:
  # error: [invalid-setting]
  least: { hidden: true }
---*/
SELECT id FROM orders WHERE quantity >= << least >> LIMIT 5
