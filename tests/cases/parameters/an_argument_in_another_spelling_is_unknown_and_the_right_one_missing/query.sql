SELECT id FROM orders WHERE quantity >= << least_quantity >> ORDER BY id
