SELECT id
FROM orders
-- error: [invalid-default]
WHERE status IN << statuses = 'open' >>
