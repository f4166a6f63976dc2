/*---
params:
  by: { choices: { status: status, first_letter: "left(status, 1)", both: status || '/' || CAST(customer_id AS text) }, default: status }
---*/
SELECT << by >> AS key, count(*) AS orders
FROM orders
GROUP BY << by >>
ORDER BY << by >>
