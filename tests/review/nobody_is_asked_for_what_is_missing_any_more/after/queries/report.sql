SELECT id
FROM orders
WHERE status = << state >>
