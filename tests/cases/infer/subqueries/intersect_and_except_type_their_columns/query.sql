-- calls: 3, 4 (INTERSECT binds closer)
SELECT count(*) AS n
FROM (
  SELECT status FROM orders
  EXCEPT
  SELECT << a >>
  INTERSECT
  SELECT << b >>
) AS t
