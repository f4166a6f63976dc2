/*---
kind: view
params:
  by: { choices: { status: status, customer: CAST(customer_id AS text) } }
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1
