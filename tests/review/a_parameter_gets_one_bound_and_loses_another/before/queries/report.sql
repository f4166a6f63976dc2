/*---
params:
  least: { minimum: 5, maximum: 50 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
