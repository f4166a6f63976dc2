SELECT id
FROM orders
WHERE id <= 2 [[ OR price > << more >> AND day BETWEEN << since >> AND << until >> [[ AND price < << less >> ]] ]]
ORDER BY id
