WITH t AS (SELECT * FROM (VALUES (1, 1), (2, 2), (3, NULL), (4, 1)) AS v(id, n)),
  u AS (SELECT * FROM (VALUES (1, 1), (2, 1), (3, 2), (4, NULL)) AS v(id, k))
SELECT t.id,
  (SELECT sum(c) FROM (SELECT count(*) AS c FROM u WHERE u.k = t.n)) AS sum_of_counts,
  (SELECT count(*) FROM (SELECT max(u.id) AS m FROM u WHERE u.k = t.n)) AS one,
  (SELECT a.c FROM (SELECT count(*) AS c FROM u WHERE u.k = t.n) AS a, (SELECT 1 AS x) AS b) AS count_beside_another
FROM t
WHERE t.id <= << last: bigint >>
ORDER BY t.id
