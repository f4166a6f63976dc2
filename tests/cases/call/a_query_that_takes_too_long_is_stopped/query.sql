/*--- { timeout: 50ms } ---*/
SELECT count(*) AS pairs
FROM generate_series(1, 1000000) AS a(x)
CROSS JOIN generate_series(1, 1000) AS b(y)
WHERE (a.x * b.y) % 7 = << rest: bigint >>
