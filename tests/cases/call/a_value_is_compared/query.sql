SELECT id, status FROM orders WHERE status = << status >> ORDER BY id
