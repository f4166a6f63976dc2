SELECT id, tags, size, ratio FROM items ORDER BY id
