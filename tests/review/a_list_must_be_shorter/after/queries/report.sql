/*---
params:
  ids: { max_items: 5 }
---*/
SELECT id
FROM orders
WHERE id IN << ids >>
