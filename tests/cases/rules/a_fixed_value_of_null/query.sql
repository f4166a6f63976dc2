/*---
params:
  # error: [invalid-value]
  least: { fixed: null }
---*/
SELECT id FROM orders WHERE quantity >= << least >> LIMIT 5
