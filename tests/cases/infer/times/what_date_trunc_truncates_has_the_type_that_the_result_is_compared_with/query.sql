-- calls: 1, 0
SELECT count(*) AS n
FROM orders
WHERE date_trunc('month', << a >>) = placed_at
  AND date_trunc('month', << b >>) <= day
