SELECT count(*) AS n
FROM orders
WHERE day + << w >> > DATE '2024-12-01' AND placed_at - << w >> < TIMESTAMP '2024-12-31T00:00:00'
