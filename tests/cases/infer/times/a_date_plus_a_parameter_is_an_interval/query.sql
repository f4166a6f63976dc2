-- calls: 1, 4
SELECT count(*) AS n
FROM orders
WHERE day + << a >> > DATE '2024-06-01' AND << b >> + day < DATE '2025-01-01'
  AND placed_at + << c >> < TIMESTAMP '2024-07-01T00:00:00'
