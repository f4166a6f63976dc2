SELECT id, total, day, note FROM orders WHERE id >= << least >> ORDER BY id
