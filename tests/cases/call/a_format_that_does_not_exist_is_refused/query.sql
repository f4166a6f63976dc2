SELECT id FROM orders WHERE id = 1
