/*---
columns:
  # error: [unknown-key]
  id: { descripton: The number. }
---*/
SELECT id FROM orders
