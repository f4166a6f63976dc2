SELECT id FROM orders WHERE note ~ << pattern >> ORDER BY id
