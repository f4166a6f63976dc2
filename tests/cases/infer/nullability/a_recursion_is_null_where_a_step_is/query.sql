WITH RECURSIVE numbers AS (
  SELECT 1 AS i, 0 AS odd, 0 AS same
  UNION ALL
  SELECT i + 1, nullif(i, 2), same FROM numbers WHERE i < 3
)
SELECT i, odd, same FROM numbers ORDER BY i
