SELECT count(*) AS n
FROM orders
WHERE << a >> IN (1, 2, 3) AND << b >> IN ('x', 'y') AND << c >> IN (1, 2.5) AND << e >> NOT IN (true)
