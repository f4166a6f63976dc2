SELECT id FROM orders WHERE id < << most = 3 >> ORDER BY id
