SELECT n
FROM (
  SELECT count(*) AS n
  -- warning: [unfiltered-scan]
  FROM orders
) AS s
WHERE n > 2
