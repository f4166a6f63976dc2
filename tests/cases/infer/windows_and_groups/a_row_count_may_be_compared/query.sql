SELECT id FROM orders WHERE quantity >= << k >> ORDER BY id LIMIT << k >>
