SELECT id
FROM orders
WHERE id < 11
  [[ AND price BETWEEN << least >> AND << most >> ]]
  [[ AND price / << least >> > << factor >> AND quantity < << few >> ]]
ORDER BY id
