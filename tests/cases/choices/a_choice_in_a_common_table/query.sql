/*---
params:
  by: { choices: { customer: customer_id, pieces: quantity } }
---*/
WITH keyed AS (SELECT << by >> AS key, count(*) AS n, min(id) AS first FROM orders GROUP BY 1)
SELECT key, n, first FROM keyed WHERE n > 2 ORDER BY key
