/*---
params: { status: { allowed_values: [open, shipped] }, least: { minimum: 1 } }
---*/
SELECT count(*) AS orders
FROM orders
WHERE id > 0 [[ AND status = << status >> ]] [[ AND quantity >= << least >> ]]
