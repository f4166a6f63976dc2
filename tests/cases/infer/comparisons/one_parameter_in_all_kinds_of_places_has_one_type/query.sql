-- calls: 15
SELECT count(*) AS n
FROM orders
WHERE quantity + << a >> > 3
  AND quantity BETWEEN << a >> AND 99
  AND coalesce(quantity, << a >>) > 0
  AND price > CASE WHEN id > 0 THEN << a >> END
  AND CAST(<< a >> AS text) <> 'x'
  AND << a >> <> 0
