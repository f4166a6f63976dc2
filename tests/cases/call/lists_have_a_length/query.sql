/*---
params: { ids: { min_items: 1, max_items: 5, minimum: 1 } }
---*/
SELECT count(*) AS orders FROM orders WHERE id IN << ids >>
