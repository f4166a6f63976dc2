-- error: [cannot-run]
SELECT date_trunc('fortnight', placed_at) AS x, 1 / 0 AS y FROM orders
