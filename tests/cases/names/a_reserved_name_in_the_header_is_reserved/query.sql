/*---
params:
  # error: [reserved-name]
  limit: { maximum: 10 }
---*/
SELECT id FROM orders
