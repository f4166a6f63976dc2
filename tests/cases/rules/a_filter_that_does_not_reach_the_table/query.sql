SELECT status, n
FROM (
  SELECT status, count(*) AS n
  -- warning: [unfiltered-scan]
  FROM orders
  GROUP BY status
) AS s
WHERE n > 2
