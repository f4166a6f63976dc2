SELECT id
FROM orders
WHERE id < 11 AND price > << least: double >> [[ AND price BETWEEN << least >> AND << most >> ]]
ORDER BY id
