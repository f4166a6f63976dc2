-- calls: 20, 4
SELECT count(*) AS n
FROM (
  SELECT id FROM orders
  QUALIFY true [[ AND lag(price, << back >>) OVER (ORDER BY id) > 50 ]]
) AS t
