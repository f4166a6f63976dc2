-- calls: 20, 1, 0
SELECT count(*) AS n FROM orders WHERE price > ALL(<< prices >>)
