SELECT count(*) AS n
FROM orders
WHERE to_date(<< a >>, << form >>) = day
  AND to_timestamp(<< b >>) <= placed_at
