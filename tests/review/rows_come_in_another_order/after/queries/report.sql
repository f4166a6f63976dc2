SELECT id, status, quantity FROM orders
ORDER BY day DESC
