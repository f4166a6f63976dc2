/*---
params:
  least: { multiple_of: 7 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
