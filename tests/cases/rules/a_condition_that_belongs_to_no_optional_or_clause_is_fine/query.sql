SELECT id
FROM orders
WHERE (id <= 2 [[ OR price > << more >> ]]) [[ AND price < << less >> ]] AND quantity = 1
ORDER BY id
