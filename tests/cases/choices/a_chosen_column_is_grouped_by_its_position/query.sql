/*---
params:
  by:
    choices:
      status: status
      month: substr(CAST(day AS text), 1, 7)
      customer: CAST(customer_id AS text)
---*/
SELECT << by >> AS key, count(*) AS orders, sum(quantity) AS pieces
FROM orders
GROUP BY 1
ORDER BY 1
