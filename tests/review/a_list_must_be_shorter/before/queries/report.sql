/*---
params:
  ids: { max_items: 10 }
---*/
SELECT id
FROM orders
WHERE id IN << ids >>
