SELECT id
FROM orders
WHERE price > 100
  [[ OR status = << status >> ]]
