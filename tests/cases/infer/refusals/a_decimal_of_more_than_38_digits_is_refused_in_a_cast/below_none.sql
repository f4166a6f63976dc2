SELECT id
FROM orders
-- error: [invalid-query]
WHERE CAST(price AS numeric(5, -2)) = 1200
