SELECT 'sum' AS which, CAST(id + n AS text) AS k, count(*) AS rows FROM o WHERE n IS NOT NULL GROUP BY ROLLUP (id + n)
UNION ALL
SELECT 'sets', coalesce(c, CAST(id * << by: bigint = 2 >> AS text)), count(*) FROM o GROUP BY GROUPING SETS ((id * << by >>), (c), ())
UNION ALL
SELECT 'year', CAST(CAST(date_trunc('year', at) AS date) AS text), count(*) FROM t GROUP BY CUBE (date_trunc('year', at))
ORDER BY which, k NULLS LAST, rows
