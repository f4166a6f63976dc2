-- error: [invalid-query]
SELECT
    (placed_at).day AS x
FROM orders
