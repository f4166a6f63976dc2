SELECT id, quantity, note FROM orders WHERE quantity >= << least >> AND id < 6 ORDER BY id
