SELECT id FROM orders
