-- calls: 10
SELECT count(*) AS n
FROM orders
WHERE price * << a = 2 >> > 30
  AND day + << b = '7 days' >> > DATE '2024-01-10'
  AND coalesce(<< c = 3 >>, price) > 1
  AND day - << e = '2024-01-01' >> > 40
