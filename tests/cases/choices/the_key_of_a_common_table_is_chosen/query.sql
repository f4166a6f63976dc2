/*---
params:
  by: { choices: { status: status, customer: CAST(customer_id AS text) } }
---*/
WITH groups AS (SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1)
SELECT key, orders FROM groups WHERE orders > 4 ORDER BY key
