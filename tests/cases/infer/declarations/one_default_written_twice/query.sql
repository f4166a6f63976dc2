/*---
params: { least: { default: 1 } }
---*/
SELECT id FROM orders WHERE quantity > << least = 1 >> AND price > << least = 1 >>
