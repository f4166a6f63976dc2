SELECT id, status FROM orders JOIN items USING (id) WHERE id = << id >> AND items.id > 0
