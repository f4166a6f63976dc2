-- calls: 1, 0
SELECT count(*) AS n
FROM (
  SELECT id FROM orders
  ORDER BY CASE << sort >> WHEN 'price' THEN price WHEN 'size' THEN quantity ELSE << other >> END DESC
  LIMIT << rows >>
) AS t
WHERE id = 14
