-- error: [invalid-query]
SELECT id FROM orders CROSS APPLY generate_series(1, 2)
