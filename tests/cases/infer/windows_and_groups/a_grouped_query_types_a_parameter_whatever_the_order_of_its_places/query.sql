SELECT date_trunc(<< u: text >>, placed_at) AS t, sum(price) AS s
FROM orders
WHERE quantity + << f >> > 3 AND price > << f >>
GROUP BY date_trunc(<< u >>, placed_at)
