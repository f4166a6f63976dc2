SELECT count(*) AS n
FROM orders
-- error: [conflicting-types]
WHERE day + << x: text >> > DATE '2024-02-01'
