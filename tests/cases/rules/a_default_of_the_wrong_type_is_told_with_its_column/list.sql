SELECT id
FROM orders
-- error: [invalid-default]
WHERE id IN << ids = ARRAY['a'] >>
