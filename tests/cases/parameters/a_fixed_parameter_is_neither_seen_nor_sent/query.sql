/*---
params: { status: { fixed: open } }
---*/
SELECT count(*) AS orders FROM orders WHERE status = << status >> [[ AND quantity >= << least >> ]]
