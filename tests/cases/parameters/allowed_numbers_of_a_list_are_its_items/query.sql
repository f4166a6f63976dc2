/*---
params: { ids: { allowed_values: [1, 2, 3] } }
---*/
-- calls: 1 2, 2 3, 3, none, three refusals
SELECT id FROM orders WHERE id IN << ids >> ORDER BY id
