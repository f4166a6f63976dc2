SELECT id, status FROM orders
