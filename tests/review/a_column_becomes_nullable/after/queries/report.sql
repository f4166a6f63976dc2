SELECT id, quantity FROM orders
