SELECT
-- error: [invalid-query]
    placed_at AT TIME ZONE id AS x
FROM orders
