SELECT id FROM orders WHERE id < 3 [[ AND status = << status >> ]] ORDER BY id
