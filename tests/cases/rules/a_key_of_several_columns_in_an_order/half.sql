SELECT id
FROM orders
WHERE customer_id > 1
ORDER BY day
-- warning: [unordered-limit]
LIMIT 2
