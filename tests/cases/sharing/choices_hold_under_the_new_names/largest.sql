/*---
kind: view
params:
  by: { choices: { status: status, customer: CAST(customer_id AS text) } }
---*/
WITH groups AS (SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1)
SELECT max(orders) AS orders FROM groups
