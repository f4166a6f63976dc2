SELECT id
FROM orders
-- error: [invalid-default]
WHERE price > << least: double = 'a' >>
