SELECT customer_id AS id, price
FROM orders
ORDER BY price
-- warning: [unordered-limit]
LIMIT 3
