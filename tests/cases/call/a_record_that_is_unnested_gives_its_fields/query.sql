SELECT id, unnest(size) FROM items ORDER BY id
