SELECT count(*) AS n FROM orders
