SELECT id, unnest(tags) AS tag FROM items
