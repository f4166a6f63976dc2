-- calls: 13, missing, null
SELECT id FROM orders WHERE quantity >= << least >> [[ AND price >= << least >> ]] ORDER BY id
