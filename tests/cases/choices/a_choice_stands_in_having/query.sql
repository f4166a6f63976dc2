/*---
params:
  measure: { choices: { orders: count(*), mean: avg(price) } }
---*/
SELECT status FROM orders GROUP BY status HAVING << measure >> >= << least >> ORDER BY status
