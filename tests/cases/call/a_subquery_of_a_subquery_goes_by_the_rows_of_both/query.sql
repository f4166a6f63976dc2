WITH t AS (SELECT * FROM (VALUES (1, 1), (2, 2), (3, NULL), (4, 1)) AS v(id, n)),
  u AS (SELECT * FROM (VALUES (1, 1), (2, 1), (3, 2), (4, NULL)) AS v(id, k))
SELECT t.id,
  (SELECT sum((SELECT count(*) FROM t AS t2 WHERE t2.n = u.k)) FROM u WHERE u.k = t.n) AS in_an_aggregate,
  (SELECT sum(x) FROM (SELECT (SELECT count(*) FROM t AS t2 WHERE t2.n < u.k) AS x FROM u WHERE u.k = t.n)) AS as_a_column,
  EXISTS (SELECT 1 FROM u WHERE u.k = t.n AND (SELECT count(*) FROM t AS t2 WHERE t2.n < u.k) = 0) AS in_a_condition
FROM t
WHERE t.id <= << last: bigint >>
ORDER BY t.id
