/*---
params:
  least: { minimum: 0, maximum: 10 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
