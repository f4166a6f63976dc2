/*---
params:
  more_than: { minimum: 0 }
---*/
SELECT id
FROM orders
WHERE quantity > << more_than >>
