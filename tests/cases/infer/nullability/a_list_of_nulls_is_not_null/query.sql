SELECT id, make_array(note) AS notes, {'note': note} AS box FROM orders WHERE id = 4
