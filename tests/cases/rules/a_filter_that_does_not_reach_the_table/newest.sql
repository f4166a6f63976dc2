SELECT id
FROM (
  SELECT id, status
  -- warning: [unfiltered-scan]
  FROM orders
  ORDER BY id DESC
  LIMIT 3
) AS newest
WHERE status = 'open'
