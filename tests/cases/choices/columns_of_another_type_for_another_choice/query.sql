/*---
params:
  # error: [choices-differ]
  by: { choices: { status: status, customer: customer_id } }
---*/
SELECT << by >> AS key, count(*) AS n FROM orders GROUP BY 1 ORDER BY 1
