SELECT id
FROM orders AS o
-- error: [invalid-default]
WHERE o.total > << least = 'a' >>
