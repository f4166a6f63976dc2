WITH RECURSIVE steps AS (
  SELECT min(id) AS n FROM shipped
  UNION ALL
  SELECT n + 1 FROM steps WHERE n < << most >>
)
SELECT n FROM steps WHERE n IN (SELECT id FROM shipped) ORDER BY n
