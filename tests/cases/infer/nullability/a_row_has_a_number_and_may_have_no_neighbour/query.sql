SELECT id, row_number() OVER (ORDER BY id) AS n, lag(id) OVER (ORDER BY id) AS previous
FROM orders
WHERE id < 4
ORDER BY id
