SELECT id
FROM orders
-- error: [invalid-default]
WHERE id IN << ids = [1, 'two'] >>
