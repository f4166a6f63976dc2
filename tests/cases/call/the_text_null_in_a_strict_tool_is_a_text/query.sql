/*---
strict: true
---*/
SELECT count(*) AS n FROM orders WHERE true [[ AND status = << status >> ]] [[ AND price > << least >> ]]
