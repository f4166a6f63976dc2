SELECT id, << status >> AS status FROM by_status ORDER BY id LIMIT 2
