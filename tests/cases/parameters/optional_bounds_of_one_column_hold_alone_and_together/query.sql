SELECT id
FROM orders
WHERE id > 0 [[ AND price >= << least >> ]] [[ AND price <= << most >> ]] [[ AND price <> << but >> ]]
ORDER BY id
