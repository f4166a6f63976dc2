/*---
params: { least: { default: "9" }, most: { default: "20.5" } }
---*/
SELECT id FROM orders WHERE quantity >= << least >> AND price <= << most >> ORDER BY id
