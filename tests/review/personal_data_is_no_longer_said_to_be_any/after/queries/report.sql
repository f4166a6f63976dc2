SELECT id, status, quantity FROM orders
