SELECT id
FROM orders
WHERE id < 4
  [[ AND price > << least >> ]]
  [[ AND day >= << since >> ]]
  [[ AND status = << status >> ]]
  [[ AND id IN << ids >> ]]
ORDER BY id
