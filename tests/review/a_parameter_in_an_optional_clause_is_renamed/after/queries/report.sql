SELECT id
FROM orders
WHERE true [[ AND quantity > << more_than >> ]]
