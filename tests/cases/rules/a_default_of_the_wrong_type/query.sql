SELECT id
FROM orders
-- error: [invalid-default]
WHERE quantity >= << least = 'few' >>
