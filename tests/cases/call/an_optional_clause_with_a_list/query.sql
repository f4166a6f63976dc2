SELECT id FROM orders WHERE id < 8 [[ AND status IN << statuses >> ]] ORDER BY id
