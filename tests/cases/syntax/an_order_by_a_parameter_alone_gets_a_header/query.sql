SELECT id, placed_at
FROM orders
-- error: [constant-key]
ORDER BY << column >>
