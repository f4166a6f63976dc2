SELECT count(*) AS n, 2 * 3 AS six FROM (SELECT * FROM orders) AS o
