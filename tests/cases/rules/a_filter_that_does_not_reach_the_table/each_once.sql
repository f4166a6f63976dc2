WITH states AS (
  SELECT DISTINCT status
  -- warning: [unfiltered-scan]
  FROM orders
)
SELECT status FROM states WHERE status = << status >>
