/*---
description: How many customers have how many orders, those with a certain comment not counted.
params:
  comment_pattern: { description: Pattern of the comments of orders that do not count. }
result_limit: none
---*/
SELECT c_count, count(*) AS custdist
FROM (
  SELECT c_custkey, count(o_orderkey)
  FROM customer
  LEFT JOIN orders ON c_custkey = o_custkey AND o_comment NOT LIKE << comment_pattern >>
  GROUP BY c_custkey
) AS c_orders (c_custkey, c_count)
GROUP BY c_count
ORDER BY custdist DESC, c_count DESC
