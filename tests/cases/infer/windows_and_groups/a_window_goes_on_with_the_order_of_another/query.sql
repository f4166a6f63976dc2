SELECT count(*) AS n
FROM (
  SELECT sum(quantity) OVER (w RANGE BETWEEN << span >> PRECEDING AND CURRENT ROW) AS x FROM orders WINDOW w AS (ORDER BY day)
) AS t
WHERE x > 1
