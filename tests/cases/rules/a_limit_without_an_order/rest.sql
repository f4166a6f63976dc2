SELECT id
FROM customers
-- warning: [unordered-limit]
OFFSET 2
