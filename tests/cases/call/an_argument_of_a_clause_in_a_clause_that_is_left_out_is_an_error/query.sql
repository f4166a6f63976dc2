SELECT id
FROM orders
WHERE id < 11 [[ AND (status = << status >> [[ OR quantity >= << least >> ]]) ]]
ORDER BY id
