-- calls: 1, 0
SELECT count(*) AS n
FROM orders
WHERE - << a >> < quantity AND price > - << b >> AND quantity BETWEEN - << c >> AND 5
  AND - << e >> * price < 1 AND id = - (- << f >>)
