/*---
description: Suppliers of a nation who alone kept orders of several suppliers waiting, worst first.
params:
  status: { description: Status of the orders. }
  nation: { description: Nation of the suppliers. }
  max_rows: { description: Rows at most. }
result_limit: none
---*/
SELECT s_name, count(*) AS numwait
FROM supplier, lineitem l1, orders, nation
WHERE s_suppkey = l1.l_suppkey
  AND o_orderkey = l1.l_orderkey
  AND o_orderstatus = << status >>
  AND l1.l_receiptdate > l1.l_commitdate
  AND EXISTS (
    SELECT *
    FROM lineitem l2
    WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey
  )
  AND NOT EXISTS (
    SELECT *
    FROM lineitem l3
    WHERE l3.l_orderkey = l1.l_orderkey
      AND l3.l_suppkey <> l1.l_suppkey
      AND l3.l_receiptdate > l3.l_commitdate
  )
  AND s_nationkey = n_nationkey
  AND n_name = << nation >>
GROUP BY s_name
ORDER BY numwait DESC, s_name
LIMIT << max_rows >>
