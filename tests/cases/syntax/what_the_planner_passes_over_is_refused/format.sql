SELECT id
FROM orders
-- error: [invalid-query]
FORMAT JSON
