SELECT id, note FROM orders WHERE id IN (2, 3, 4, 6, 7, 9, 13, 17, 19) ORDER BY id
