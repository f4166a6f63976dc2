SELECT id FROM orders WHERE id < 5 ORDER BY id LIMIT << rows? >>
