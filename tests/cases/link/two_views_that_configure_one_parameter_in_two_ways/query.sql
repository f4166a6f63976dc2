SELECT n.id FROM by_note AS n JOIN by_status AS s ON s.id = n.id
