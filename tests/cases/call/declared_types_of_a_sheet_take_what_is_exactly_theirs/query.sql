SELECT id, zip, price, day, at, data FROM orders WHERE id >= << least >> ORDER BY id
