-- calls: 7
SELECT count(*) AS n
FROM orders
WHERE price > quantity + << a >> AND << b >> * quantity < price AND << c >> * 2 > price
  AND price BETWEEN << e >> - 1 AND << f >> + 1
