SELECT id
FROM orders
-- error: [invalid-default]
WHERE date_trunc(<< unit = 'moth' >>, placed_at) = TIMESTAMP '2024-01-01'
