SELECT id
-- error: [invalid-query]
FROM orders PARTITION (p0)
