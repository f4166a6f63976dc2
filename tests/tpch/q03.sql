/*---
description: Orders of a market segment that were not shipped on a day, with the largest revenue first.
params:
  segment: { description: Market segment of the customer. }
  day: { description: "Ordered before this day, shipped after it." }
  max_rows: { description: Rows at most. }
result_limit: none
---*/
SELECT
  l_orderkey,
  sum(l_extendedprice * (1 - l_discount)) AS revenue,
  o_orderdate,
  o_shippriority
FROM customer, orders, lineitem
WHERE c_mktsegment = << segment >>
  AND c_custkey = o_custkey
  AND l_orderkey = o_orderkey
  AND o_orderdate < << day >>
  AND l_shipdate > << day >>
GROUP BY l_orderkey, o_orderdate, o_shippriority
ORDER BY revenue DESC, o_orderdate
LIMIT << max_rows >>
