SELECT id FROM by_status ORDER BY id
