/*---
params: { least: { multiple_of: 5 } }
---*/
-- calls: 20, 20, 2, refused
SELECT count(*) AS n FROM orders WHERE id > 0 [[ AND quantity >= << least >> ]]
