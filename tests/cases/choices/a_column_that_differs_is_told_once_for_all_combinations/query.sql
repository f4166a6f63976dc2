/*---
params:
  sort: { choices: { a: orders, b: orders DESC, c: key } }
  by:
    choices:
      status: status
      # error: [choices-differ]
      customer: customer_id
---*/
SELECT << by >> AS key, count(*) AS orders FROM orders GROUP BY 1 ORDER BY << sort >>, key
