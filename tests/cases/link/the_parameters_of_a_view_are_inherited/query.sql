SELECT id FROM by_status WHERE quantity > << least >> ORDER BY id
