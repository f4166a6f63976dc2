-- calls: 6, 3
SELECT count(*) AS n
FROM orders
WHERE coalesce(<< a? >>, << b >>) = status AND price > coalesce(<< c? >>, 0)
  AND day >= coalesce(<< e? >>, << f? >>, DATE '2024-01-01')
