SELECT count(*) AS n
FROM orders
WHERE quantity + << a >> > 3 AND price + << a >> > 3 AND price - << b >> > 3 AND quantity - << b >> > 3
