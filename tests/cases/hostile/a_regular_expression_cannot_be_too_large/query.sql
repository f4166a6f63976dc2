SELECT id FROM orders WHERE note ~ << pattern >>
