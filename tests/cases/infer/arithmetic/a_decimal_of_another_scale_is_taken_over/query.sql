SELECT count(*) AS n
FROM orders
WHERE CAST(price AS decimal(20,4)) + << a >> > 3
  AND CAST(quantity AS decimal(6,0)) - << b >> > 3
