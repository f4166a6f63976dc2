SELECT id FROM orders WHERE id < 8 [[ AND quantity >= << least = 3 >> ]] ORDER BY id
