SELECT date_trunc(<< u: text >>, placed_at) AS t, sum(price) AS s
FROM orders
WHERE price > << f >> AND quantity + << f >> > 3
GROUP BY date_trunc(<< u >>, placed_at)
