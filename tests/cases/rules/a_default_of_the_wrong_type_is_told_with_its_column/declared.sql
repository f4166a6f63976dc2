SELECT id
FROM orders
-- error: [invalid-default]
WHERE total > << least: double = 'a' >>
