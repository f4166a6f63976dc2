SELECT id, price
FROM orders
ORDER BY price DESC
-- warning: [unordered-limit]
LIMIT 3
