SELECT count(*) AS n
FROM orders
WHERE date_part(<< part = 'DOW' >>, placed_at) = 1
