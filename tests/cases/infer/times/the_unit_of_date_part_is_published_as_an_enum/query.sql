-- calls: 1, 2, invalid-argument
SELECT count(*) AS n
FROM orders
WHERE date_part(<< unit >>, placed_at) = quantity
