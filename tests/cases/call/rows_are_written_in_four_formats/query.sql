SELECT id, status, day, price, note FROM orders WHERE id IN (1, 4, 7) ORDER BY id
