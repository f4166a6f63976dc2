SELECT t.n FROM (SELECT count(*) AS n FROM orders) AS t LIMIT 1
