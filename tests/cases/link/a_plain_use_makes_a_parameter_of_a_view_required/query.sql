SELECT id FROM by_status WHERE status = << status >> ORDER BY id
