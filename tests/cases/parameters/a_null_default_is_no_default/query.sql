/*---
params: { least: { default: null } }
---*/
-- The parameter stays required: `?` makes it optional.
SELECT id FROM orders WHERE quantity >= << least >> ORDER BY id
