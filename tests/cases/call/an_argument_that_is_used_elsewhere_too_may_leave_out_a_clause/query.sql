SELECT id, << least? >> AS least
FROM orders
WHERE id < 11 [[ AND price BETWEEN << least >> AND << most >> ]]
ORDER BY id
LIMIT 2
