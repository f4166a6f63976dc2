SELECT id FROM orders WHERE status = << status >> ORDER BY id LIMIT 1
