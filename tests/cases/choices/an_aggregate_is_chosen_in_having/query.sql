/*---
params: { measure: { choices: { orders: count(*), pieces: sum(quantity) } } }
---*/
SELECT status FROM orders GROUP BY status HAVING << measure >> >= << least >> ORDER BY << measure >> DESC, status
