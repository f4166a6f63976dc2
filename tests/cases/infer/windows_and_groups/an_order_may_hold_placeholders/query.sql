SELECT count(*) AS n
FROM (
  SELECT id FROM orders ORDER BY abs(price - << near >>), status = << status >> DESC LIMIT 1
) AS t
WHERE id = << id >>
