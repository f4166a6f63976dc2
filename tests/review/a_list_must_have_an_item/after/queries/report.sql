/*---
params:
  ids: { min_items: 1 }
---*/
SELECT id
FROM orders
WHERE id IN << ids >>
