-- calls: 20, 2, 0
SELECT count(*) AS n
FROM orders
WHERE quantity >= CASE << level >> WHEN 'low' THEN 1 WHEN 'high' THEN 10 END
  AND CASE WHEN id > 0 THEN << b >> ELSE 0.5 END > 0
