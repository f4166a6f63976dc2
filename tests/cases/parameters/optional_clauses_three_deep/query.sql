SELECT id
FROM orders
WHERE id > 0 [[ AND (status = << status >> [[ AND (quantity >= << least >> [[ OR price >= << dear >> ]]) ]]) ]]
ORDER BY id
