WITH RECURSIVE steps AS (
  SELECT 1 AS n
  UNION ALL
  SELECT n + 1 FROM steps WHERE n < 3
)
SELECT t.id, s.n FROM two_ends AS t CROSS JOIN steps AS s ORDER BY t.id, s.n
