SELECT id FROM orders WHERE status = << status >> ORDER BY id
