SELECT id, price FROM orders WHERE id = << id >> LIMIT 1
