/*---
params:
  # error: [unused-parameter]
  limit: { maximum: 10 }
---*/
SELECT id FROM orders
