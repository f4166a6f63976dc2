SELECT count(*) AS n
FROM orders
-- error: [conflicting-types]
WHERE quantity + << x: text >> > 3
