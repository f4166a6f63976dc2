WITH RECURSIVE steps AS (
  SELECT 1 AS n
  UNION ALL
  SELECT n + 1 FROM steps WHERE n < 3
)
SELECT t.id FROM two_ends AS t JOIN steps AS s ON s.n = t.id ORDER BY t.id
