SELECT id, unnest(tags) AS tag FROM items WHERE id = 2
