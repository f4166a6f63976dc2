SELECT id FROM orders WHERE price > 90 [[ OR status = << status >> ]] ORDER BY id
