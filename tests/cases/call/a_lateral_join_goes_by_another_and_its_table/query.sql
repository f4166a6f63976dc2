WITH t AS (SELECT * FROM (VALUES (1, 1), (2, 2), (3, NULL), (4, 1)) AS v(id, n)),
  u AS (SELECT * FROM (VALUES (1, 1), (2, 1), (3, 2), (4, NULL)) AS v(id, k))
SELECT t.id, s.i, r.c
FROM t, LATERAL (SELECT t.n + 1 AS i) AS s LEFT JOIN LATERAL (SELECT count(*) AS c FROM u WHERE u.k = s.i) AS r ON true
WHERE t.n IS NOT NULL AND t.id <= << last: bigint >>
ORDER BY t.id
