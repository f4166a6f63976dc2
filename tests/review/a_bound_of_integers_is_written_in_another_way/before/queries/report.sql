/*---
params:
  least: { minimum: 1 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
