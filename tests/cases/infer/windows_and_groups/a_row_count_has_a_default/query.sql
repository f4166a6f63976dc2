SELECT count(*) AS n FROM (SELECT id FROM orders LIMIT << k = 5 >>) AS t
