SELECT id FROM orders WHERE id IN << ids = ARRAY[1, 1 + 1, 2 * 2] >> ORDER BY id
