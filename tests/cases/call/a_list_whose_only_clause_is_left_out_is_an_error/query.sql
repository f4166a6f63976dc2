SELECT id
FROM orders
WHERE id < 11 [[ AND status IN << statuses >> AND price > << least >> ]]
ORDER BY id
