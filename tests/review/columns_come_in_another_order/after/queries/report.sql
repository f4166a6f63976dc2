SELECT status, id FROM orders
