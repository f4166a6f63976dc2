SELECT id
FROM orders
-- warning: [unordered-limit]
LIMIT 3
