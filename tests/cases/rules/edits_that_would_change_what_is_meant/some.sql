SELECT id
FROM customers
-- warning: [null-comparison]
WHERE id IN (SELECT customer_id FROM orders WHERE status = << status? >>)
