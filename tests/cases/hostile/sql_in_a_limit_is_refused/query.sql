SELECT id FROM orders ORDER BY id
