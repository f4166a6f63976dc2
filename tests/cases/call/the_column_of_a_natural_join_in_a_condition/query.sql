/*---
description: The one column that NATURAL makes of two, in WHERE, in an expression of ORDER BY and in a group.
---*/
WITH a (id, n) AS (VALUES (1, 5), (2, 7), (3, 9)), b (id, m) AS (VALUES (1, 50), (3, 90))
SELECT 'inner' AS what, id, n + m AS n FROM a NATURAL JOIN b WHERE id > << above: bigint >>
UNION ALL
SELECT 'left', id, n + coalesce(m, 0) FROM a NATURAL LEFT JOIN b WHERE id > << above >> AND a.id < 10
UNION ALL
SELECT 'groups', id, count(m) FROM a NATURAL LEFT JOIN b WHERE NOT id IN (1) GROUP BY id HAVING id > << above >>
ORDER BY what, id
