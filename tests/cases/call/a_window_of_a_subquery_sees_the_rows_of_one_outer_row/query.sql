WITH t AS (SELECT * FROM (VALUES (1, 1), (2, 2), (3, NULL), (4, 1)) AS v(id, n)),
  u AS (SELECT * FROM (VALUES (1, 1), (2, 1), (3, 2), (4, NULL)) AS v(id, k))
SELECT t.id,
  (SELECT max(x) FROM (SELECT row_number() OVER (ORDER BY u.id) AS x FROM u WHERE u.k = t.n)) AS rows,
  EXISTS (SELECT 1 FROM (SELECT row_number() OVER (ORDER BY u.id) AS x FROM u WHERE u.k = t.n) WHERE x = 1) AS has_first,
  t.id IN (SELECT count(*) OVER () FROM u WHERE u.k = t.n) AS is_count
FROM t
WHERE t.id <= << last: bigint >>
ORDER BY t.id
