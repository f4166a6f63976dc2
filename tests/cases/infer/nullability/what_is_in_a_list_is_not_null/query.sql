SELECT id, note FROM orders WHERE id < 6 AND note IN << notes >> ORDER BY id
