SELECT id
FROM customers
WHERE id NOT IN (SELECT customer_id FROM orders WHERE status = << status? >>)
