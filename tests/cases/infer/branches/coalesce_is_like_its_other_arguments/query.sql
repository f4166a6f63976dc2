-- calls: 1, 0, 0
SELECT count(*) AS n
FROM orders
WHERE coalesce(quantity, << a >>) > 3
  AND coalesce(note, << b >>) = 'x'
  AND coalesce(<< c? >>, day) = day
  AND coalesce(<< e? >>, 1, price) < 20
