SELECT id FROM orders WHERE note IN << notes >> ORDER BY id
