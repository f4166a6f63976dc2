SELECT id, total, day FROM orders WHERE id >= << least >> ORDER BY id
