/*---
kind: view
params:
  most: { description: Highest price., maximum: 500 }
---*/
SELECT id, price, quantity FROM orders WHERE price < << most >>
