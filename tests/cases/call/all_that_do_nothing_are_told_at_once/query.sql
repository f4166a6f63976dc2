SELECT id
FROM orders
WHERE id < 11
  [[ AND price BETWEEN << least >> AND << most >> ]]
  [[ AND quantity BETWEEN << few >> AND << many >> ]]
ORDER BY id
