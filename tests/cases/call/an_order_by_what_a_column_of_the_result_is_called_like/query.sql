/*---
description: An aggregate and a name with its table in front go by the table's column, whatever the result's is called.
---*/
WITH t (id, yr, n) AS (VALUES (1, 2020, 5), (2, 2020, 7), (3, 2021, 1), (4, 2022, 9))
SELECT 'a sum' AS what, (SELECT x.yr FROM (SELECT yr, count(*) AS n FROM t GROUP BY yr ORDER BY sum(n) LIMIT 1) AS x)::text AS first_one
UNION ALL
SELECT 'another aggregate', (SELECT x.n FROM (SELECT yr, sum(n) AS n FROM t GROUP BY yr ORDER BY max(n) DESC LIMIT 1) AS x)::text
UNION ALL
SELECT 'half of the sum', (SELECT x.n FROM (SELECT yr, -sum(n) AS n FROM t GROUP BY yr ORDER BY sum(n) / 2 LIMIT 1) AS x)::text
UNION ALL
SELECT 'the table in front', (SELECT x.id FROM (SELECT -id AS id FROM t ORDER BY t.id LIMIT 1) AS x)::text
UNION ALL
SELECT 'in an expression', (SELECT x.id FROM (SELECT -id AS id FROM t ORDER BY abs(t.id - << near: bigint >>), id LIMIT 1) AS x)::text
UNION ALL
SELECT 'both', (SELECT x.id FROM (SELECT -id AS id, -n AS minus FROM t ORDER BY t.id > 2 DESC, minus DESC, id LIMIT 1) AS x)::text
UNION ALL
SELECT 'in a window', (SELECT x.id FROM (SELECT id, -n AS minus FROM t ORDER BY row_number() OVER (ORDER BY minus) LIMIT 1) AS x)::text
UNION ALL
SELECT 'a place', (SELECT x.n FROM (SELECT -n AS n, yr FROM t ORDER BY 2 DESC, t.n LIMIT 1) AS x)::text
ORDER BY what
