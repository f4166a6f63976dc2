/*---
params:
  least: { exclusive_minimum: 0 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
