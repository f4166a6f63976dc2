SELECT id
FROM orders
-- error: [syntax-error]
LIMIT 5 please
