-- calls: 5
SELECT count(*) AS n
FROM orders
WHERE CASE WHEN quantity > 5 THEN << a >> ELSE << b >> END = status
  AND price > CASE WHEN status = 'open' THEN << c >> ELSE 0 END
  AND CASE WHEN id > 10 THEN << e >> ELSE quantity END < price
