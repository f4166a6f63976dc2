/*---
params:
  measure: { choices: { total: sum(price), mean: avg(price), largest: max(price) } }
---*/
SELECT status, round(<< measure >>, 2) AS value FROM orders GROUP BY status ORDER BY value DESC, status
