SELECT id
FROM orders
WHERE quantity > 2 AND status = << state >>
