SELECT id FROM large
