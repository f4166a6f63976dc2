/*---
description: Line items that came late though shipped in time, by mode of shipment, for urgent orders and others.
params:
  urgent: { description: The highest priority. }
  high: { description: The second highest priority. }
  modes: { description: Modes of shipment. }
  since: { description: First day of the year of receipt. }
result_limit: none
---*/
SELECT
  l_shipmode,
  sum(CASE WHEN o_orderpriority = << urgent >> OR o_orderpriority = << high >> THEN 1 ELSE 0 END) AS high_line_count,
  sum(CASE WHEN o_orderpriority <> << urgent >> AND o_orderpriority <> << high >> THEN 1 ELSE 0 END) AS low_line_count
FROM orders, lineitem
WHERE o_orderkey = l_orderkey
  AND l_shipmode IN << modes >>
  AND l_commitdate < l_receiptdate
  AND l_shipdate < l_commitdate
  AND l_receiptdate >= << since >>
  AND l_receiptdate < << since >> + INTERVAL '1' YEAR
GROUP BY l_shipmode
ORDER BY l_shipmode
