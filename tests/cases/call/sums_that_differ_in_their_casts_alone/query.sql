SELECT
  sum(quantity::int) AS a,
  sum(quantity::smallint) AS b,
  sum(quantity) AS c,
  sum(CAST(quantity AS double)) AS d
FROM orders
WHERE id <= << id >>
HAVING sum(quantity::smallint) > 0
