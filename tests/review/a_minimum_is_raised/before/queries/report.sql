/*---
params:
  least: { minimum: 0 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
