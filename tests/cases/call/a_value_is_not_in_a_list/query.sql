SELECT id FROM orders WHERE id NOT IN << ids >> AND id < 5 ORDER BY id
