SELECT id FROM orders
UNION ALL
SELECT id FROM customers
-- warning: [unordered-limit]
LIMIT 4
