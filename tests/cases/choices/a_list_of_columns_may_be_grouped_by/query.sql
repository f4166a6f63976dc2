/*---
params:
  by: { choices: { status: status, both: "status, customer_id" } }
---*/
WITH sizes AS (SELECT count(*) AS orders FROM orders GROUP BY << by >>)
SELECT count(*) AS groups, max(orders) AS largest FROM sizes
