SELECT id, note FROM orders
