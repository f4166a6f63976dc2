SELECT count(*) AS n
FROM orders
WHERE price + << a >> > 10 AND price - << b >> < 90 AND << c >> * price > 1 AND price / << e >> <> 0
  AND price % << f >> = 0
