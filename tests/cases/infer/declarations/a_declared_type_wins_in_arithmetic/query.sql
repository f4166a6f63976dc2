-- calls: 2
SELECT count(*) AS n
FROM orders
WHERE quantity + << a: double >> > 3 AND price * << b: int >> > 10 AND quantity * << c: decimal(5,2) >> > 3
  AND quantity = << e: smallint >> + 1
