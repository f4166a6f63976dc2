/*---
params:
  least: { minimum: 10 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
