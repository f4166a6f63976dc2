SELECT id
FROM orders
WHERE price > 1
  [[ AND (status = << status >> [[ OR status = << other >> ]]) ]]
