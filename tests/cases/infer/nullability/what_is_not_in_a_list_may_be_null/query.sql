SELECT id, note FROM orders WHERE id < 5 AND note NOT IN << notes >> ORDER BY id
