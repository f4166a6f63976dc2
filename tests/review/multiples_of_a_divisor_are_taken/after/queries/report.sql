/*---
params:
  least: { multiple_of: 5 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
