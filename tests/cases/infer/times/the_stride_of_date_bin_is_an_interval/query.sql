-- calls: 2, 0
SELECT count(*) AS n
FROM orders
WHERE date_bin(<< stride >>, placed_at, TIMESTAMP '2024-01-01') = TIMESTAMP '2024-01-01'
