/*---
params:
  least: { multiple_of: 10 }
---*/
SELECT id
FROM orders
WHERE quantity > << least >>
