-- calls: 7
SELECT count(*) AS n
FROM orders
WHERE CASE WHEN quantity > 5 THEN << a >> ELSE price END > 10
  AND CASE WHEN price > 100 THEN note ELSE << b >> END = 'x'
  AND CASE WHEN status = 'open' THEN << c >> WHEN status = 'shipped' THEN day END > DATE '2024-06-01'
