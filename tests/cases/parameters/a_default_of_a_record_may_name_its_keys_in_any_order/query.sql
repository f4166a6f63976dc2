/*---
params: { size: { default: { h: 20, w: "10" } } }
---*/
-- calls: 1, 2, 1
SELECT id FROM items WHERE size = << size >> ORDER BY id
