/*---
description: A name alone is the column of the result; one that no table has may stand in an expression.
---*/
WITH t (id, v) AS (VALUES (1, 5), (2, 4), (3, 6))
SELECT 'alone' AS what, (SELECT id FROM (SELECT -id AS id FROM t ORDER BY id LIMIT 1) AS x)::text AS first_one
UNION ALL
SELECT 'alone in brackets', (SELECT id FROM (SELECT -id AS id FROM t ORDER BY (id) LIMIT 1) AS x)::text
UNION ALL
SELECT 'of the result', (SELECT minus FROM (SELECT -id AS minus FROM t ORDER BY minus + 0 LIMIT 1) AS x)::text
UNION ALL
SELECT 'the same column', (SELECT id FROM (SELECT t.id AS id FROM t ORDER BY -id LIMIT 1) AS x)::text
UNION ALL
SELECT 'of groups', (SELECT v FROM (SELECT id % 2 AS k, sum(v) AS v FROM t GROUP BY id % 2 ORDER BY v * -1 LIMIT 1) AS x)::text
UNION ALL
SELECT 'of the same expression', (SELECT id FROM (SELECT -id AS id FROM t ORDER BY -id LIMIT 1) AS x)::text
UNION ALL
SELECT 'of the same distance', (SELECT id FROM (SELECT abs(id - 3) AS id FROM t ORDER BY abs(id - 3) DESC LIMIT 1) AS x)::text
UNION ALL
SELECT 'of the same sum', (SELECT v FROM (SELECT id % 2 AS k, sum(v) AS v FROM t GROUP BY id % 2 ORDER BY sum(v) LIMIT 1) AS x)::text
UNION ALL
SELECT 'parameter', << text >>
ORDER BY what
