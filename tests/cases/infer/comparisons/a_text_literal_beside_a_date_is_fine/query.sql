-- calls: 7, 0
SELECT count(*) AS n
FROM orders
WHERE day >= << a >> AND << a >> > '2024-01-01'
  AND << b >> <> '2024-01-01' AND placed_at < << b >>
