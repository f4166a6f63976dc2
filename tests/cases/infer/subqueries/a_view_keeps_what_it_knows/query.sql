SELECT id, note FROM described WHERE id < 3 ORDER BY id
