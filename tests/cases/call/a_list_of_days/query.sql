SELECT id FROM orders WHERE day IN << days >> ORDER BY id
