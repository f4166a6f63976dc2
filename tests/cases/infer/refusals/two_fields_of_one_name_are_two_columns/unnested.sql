-- error: [duplicate-column]
SELECT id AS h, unnest(size) FROM items
