/*---
description: The column that a join goes by is that of the side that has a row.
---*/
WITH
  a (id, g) AS (VALUES (1, 'a'), (2, 'b')),
  b (id, h) AS (VALUES (2, 'x'), (3, 'y')),
  c (id, k) AS (VALUES (2, 'p'), (3, 'q'), (4, 'r')),
  r AS (SELECT * FROM a RIGHT JOIN b USING (id)),
  f AS (SELECT * FROM a FULL JOIN b USING (id))
SELECT 'right' AS what, id, g, h FROM a RIGHT JOIN b USING (id)
UNION ALL
SELECT 'full', id, g, h FROM a FULL JOIN b USING (id)
UNION ALL
SELECT 'natural right', id, g, h FROM a NATURAL RIGHT JOIN b
UNION ALL
SELECT 'natural full', id, g, h FROM a NATURAL FULL JOIN b
UNION ALL
SELECT 'star of right', * FROM r
UNION ALL
SELECT 'star of full', * FROM f
UNION ALL
SELECT 'where', id, g, h FROM a FULL JOIN b USING (id) WHERE id = << id: bigint >>
UNION ALL
SELECT 'groups', id, max(g), max(h) FROM a FULL JOIN b USING (id) GROUP BY id HAVING count(id) = 1
UNION ALL
SELECT 'the right one', b.id, g, h FROM a RIGHT JOIN b USING (id)
UNION ALL
SELECT 'joined on', id, g, k FROM a FULL JOIN b USING (id) LEFT JOIN (SELECT id AS i, k FROM c) AS d ON d.i = id
UNION ALL
SELECT 'three inner', id, g, k FROM a JOIN b USING (id) JOIN c USING (id)
UNION ALL
SELECT 'three left', id, g, k FROM a LEFT JOIN b USING (id) LEFT JOIN c USING (id)
UNION ALL
SELECT 'three full', id, g, k FROM a FULL JOIN b USING (id) FULL JOIN c USING (id)
UNION ALL
SELECT 'in brackets', j.id, j.g, j.h FROM (a FULL JOIN b USING (id)) AS j
UNION ALL
SELECT 'in a subquery', a.id, a.g, (SELECT max(id) FROM b RIGHT JOIN c USING (id))::text FROM a
ORDER BY what, id, g, h
