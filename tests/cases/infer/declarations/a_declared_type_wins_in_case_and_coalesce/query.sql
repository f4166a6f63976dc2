SELECT count(*) AS n
FROM orders
WHERE coalesce(<< a?: double >>, quantity) > 3 AND CASE WHEN id > 3 THEN << b: int >> ELSE price END > 3
  AND << c: smallint >> BETWEEN 1 AND quantity
