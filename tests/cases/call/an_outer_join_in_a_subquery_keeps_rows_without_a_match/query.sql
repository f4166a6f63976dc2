WITH t AS (SELECT * FROM (VALUES (1, 1), (2, 2), (3, NULL), (4, 1)) AS v(id, n)),
  u AS (SELECT * FROM (VALUES (1, 1), (2, 1), (3, 2), (4, NULL)) AS v(id, k))
SELECT t.id,
  (SELECT count(*) FROM t AS a LEFT JOIN (SELECT * FROM u WHERE u.k = t.n) AS s ON s.id = a.id) AS rows,
  EXISTS (
    SELECT 1 FROM t AS a LEFT JOIN (SELECT * FROM u WHERE u.k = t.n) AS s ON s.id = a.id WHERE s.id IS NULL AND a.id = 4
  ) AS lacks_the_last
FROM t
WHERE t.id <= << last: bigint >>
ORDER BY t.id
