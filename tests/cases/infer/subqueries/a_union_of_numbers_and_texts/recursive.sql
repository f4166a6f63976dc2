WITH RECURSIVE steps AS (
  SELECT 1 AS n
  UNION ALL
  -- error: [invalid-query]
  SELECT CAST(n AS text) || '1' FROM steps WHERE n < 3
)
SELECT n FROM steps
