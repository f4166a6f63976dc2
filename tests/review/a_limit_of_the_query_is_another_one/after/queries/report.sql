SELECT id, status, quantity FROM orders
ORDER BY id
LIMIT 20
