/*---
description: Orders of a quarter of which a line item came late, by priority.
params:
  since: { description: First day of the quarter. }
result_limit: none
---*/
SELECT o_orderpriority, count(*) AS order_count
FROM orders
WHERE o_orderdate >= << since >>
  AND o_orderdate < << since >> + INTERVAL '3' MONTH
  AND EXISTS (
    SELECT *
    FROM lineitem
    WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate
  )
GROUP BY o_orderpriority
ORDER BY o_orderpriority
