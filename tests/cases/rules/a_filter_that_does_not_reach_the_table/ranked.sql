SELECT id
FROM (
  SELECT id, row_number() OVER (ORDER BY price, id) AS place
  -- warning: [unfiltered-scan]
  FROM orders
) AS ranked
WHERE place < 3
