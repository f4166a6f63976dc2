/*---
params: { x: { type: date } }
---*/
SELECT count(*) AS n
FROM orders
-- error: [conflicting-types]
WHERE price * << x >> > 3
