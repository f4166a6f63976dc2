SELECT id FROM orders WHERE id = << id >>
