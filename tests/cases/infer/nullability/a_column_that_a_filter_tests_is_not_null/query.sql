SELECT id, note FROM orders WHERE id <= 4 AND note IS NOT NULL ORDER BY id
