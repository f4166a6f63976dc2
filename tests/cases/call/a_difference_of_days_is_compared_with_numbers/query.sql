SELECT 'more than one' AS what, id, day - d2 AS days FROM t WHERE day - d2 > 1
UNION ALL SELECT 'its number', id, day - d2 FROM t WHERE id = day - d2
UNION ALL SELECT 'less than it', id, day - d2 FROM t WHERE id < day - d2
UNION ALL SELECT 'from a day', id, day - d2 FROM t WHERE day - DATE '2024-01-30' = 2
UNION ALL SELECT 'in a list', id, day - d2 FROM t WHERE id IN (day - d2)
UNION ALL SELECT 'between', id, day - d2 FROM t WHERE id BETWEEN 1 AND day - d2
UNION ALL SELECT 'a parameter', id, day - d2 FROM t WHERE day - d2 = << n: bigint >>
ORDER BY what, id
