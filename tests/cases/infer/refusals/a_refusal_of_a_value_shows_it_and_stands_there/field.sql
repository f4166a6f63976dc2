SELECT
-- error: [invalid-query]
    (placed_at).day AS x
FROM orders
