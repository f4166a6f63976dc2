/*---
params:
  least: { exclusive_maximum: 100 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
