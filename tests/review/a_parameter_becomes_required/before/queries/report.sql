SELECT id
FROM orders
WHERE true [[ AND quantity > << least >> ]]
