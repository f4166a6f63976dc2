SELECT 'equal' AS what, id FROM t WHERE CAST(ts AS date) = d
UNION ALL
SELECT 'before', id FROM t WHERE ts::date < d
UNION ALL
SELECT 'not after', id FROM t WHERE d >= TRY_CAST(ts AS date)
UNION ALL
SELECT 'joined', a.id FROM t AS a JOIN t AS b ON CAST(a.ts AS date) = b.d AND a.ts::timestamp(0) <= b.ts
UNION ALL
SELECT 'a day', id FROM t WHERE CAST(ts AS date) = << day >>
ORDER BY what, id
