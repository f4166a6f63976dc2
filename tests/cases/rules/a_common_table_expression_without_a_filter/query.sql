WITH by_status AS (
  SELECT status, count(*) AS n
  -- warning: [unfiltered-scan]
  FROM orders
  GROUP BY status
),
known AS (
  SELECT id, status FROM orders
)
SELECT b.status, b.n FROM by_status AS b
UNION ALL
SELECT status, id AS n FROM known WHERE status = 'open'
