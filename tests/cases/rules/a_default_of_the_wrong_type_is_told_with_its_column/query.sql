SELECT id
FROM orders AS o
-- error: [invalid-default]
WHERE o.price > << least = 'a' >>
