SELECT * FROM places WHERE id > << above >> ORDER BY id
