/*---
params:
  least: { exclusive_maximum: 50 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
