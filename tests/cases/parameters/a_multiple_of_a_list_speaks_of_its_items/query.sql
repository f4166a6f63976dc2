/*---
params: { ids: { multiple_of: 2 } }
---*/
-- calls: 2 4, 2 6, none, refused at [1]
SELECT id FROM orders WHERE id IN << ids >> ORDER BY id
