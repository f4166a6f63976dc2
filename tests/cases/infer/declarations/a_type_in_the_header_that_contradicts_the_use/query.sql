/*---
params: { x: { type: boolean } }
---*/
SELECT id
FROM orders
-- error: [conflicting-types]
WHERE day >= << x >>
