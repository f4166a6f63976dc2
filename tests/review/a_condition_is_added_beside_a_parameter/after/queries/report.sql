SELECT id
FROM orders
WHERE status = << state >> AND quantity > 0
