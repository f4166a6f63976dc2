-- calls: 8, 0
SELECT count(*) AS n
FROM orders
WHERE length(note) * << a >> > 100
  AND extract(year FROM day) + << b >> = 2025
  AND price * quantity - << c >> > 0
  AND (SELECT avg(price) FROM orders) * << e >> < price
  AND (SELECT count(*) FROM orders) / << f >> = 10
