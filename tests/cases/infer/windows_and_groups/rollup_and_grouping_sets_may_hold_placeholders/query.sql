-- calls: 15, 17
SELECT count(*) AS n
FROM (
  SELECT 1 AS c FROM orders GROUP BY ROLLUP (status, price > << dear >>)
  UNION ALL
  SELECT 1 FROM orders GROUP BY GROUPING SETS ((status), (quantity > << many >>))
) AS t
