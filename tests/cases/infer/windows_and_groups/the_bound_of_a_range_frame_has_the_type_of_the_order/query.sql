SELECT count(*) AS n
FROM (
  SELECT sum(quantity) OVER (ORDER BY price RANGE BETWEEN << a >> PRECEDING AND CURRENT ROW) AS x,
    sum(price) OVER (ORDER BY quantity RANGE BETWEEN CURRENT ROW AND << b >> FOLLOWING) AS y,
    count(*) OVER (ORDER BY day RANGE BETWEEN << c >> PRECEDING AND CURRENT ROW) AS z
  FROM orders
) AS t
WHERE x > 0 AND y > 0 AND z > 1
