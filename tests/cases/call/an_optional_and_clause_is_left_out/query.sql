SELECT id FROM orders WHERE id < 6 [[ AND status = << status >> ]] [[ AND price > << least >> ]] ORDER BY id
