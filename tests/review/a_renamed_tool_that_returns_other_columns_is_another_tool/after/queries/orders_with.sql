SELECT id, customer_id
FROM orders
WHERE status = << state >>
