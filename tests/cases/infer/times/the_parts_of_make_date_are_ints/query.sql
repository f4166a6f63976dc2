-- calls: 1, 0
SELECT count(*) AS n
FROM orders
WHERE make_date(<< y >>, << m >>, << d >>) = day
