SELECT id, code, price, paid, day, at, opens, note, later FROM orders WHERE id >= << least >> ORDER BY id
