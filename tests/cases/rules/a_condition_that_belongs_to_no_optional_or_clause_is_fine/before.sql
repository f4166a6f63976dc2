SELECT id
FROM orders
WHERE id <= 2 [[ AND price < << less >> ]] [[ OR price > << more >> ]] OR quantity = 9 AND id = 3
ORDER BY id
