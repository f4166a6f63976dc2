SELECT id FROM orders WHERE note LIKE<<words>>AND price BETWEEN<<least>>AND<<most>>ORDER BY id LIMIT<<rows>>
