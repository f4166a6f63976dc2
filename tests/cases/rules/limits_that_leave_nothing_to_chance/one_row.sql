SELECT count(*) AS n FROM orders LIMIT 1
