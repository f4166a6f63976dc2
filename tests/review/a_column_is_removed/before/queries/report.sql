SELECT id, status, day FROM orders
