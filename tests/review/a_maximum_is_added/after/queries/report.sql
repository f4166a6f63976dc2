/*---
params:
  least: { maximum: 100 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
