SELECT count(*) AS n
FROM orders
WHERE << a >> = 5 AND << b >> < 0.5 AND 'x' <> << c >> AND << e >> > DATE '2024-01-01' AND << f >> = true
  AND -3 < << g >>
