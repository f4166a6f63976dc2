SELECT id FROM orders ORDER BY id LIMIT << rows >> OFFSET << skip >>
