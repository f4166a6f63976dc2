/*---
params: { least: { minimum: 1 } }
---*/
SELECT id
FROM orders
-- error: [invalid-default]
WHERE quantity >= << least = 0 >>
