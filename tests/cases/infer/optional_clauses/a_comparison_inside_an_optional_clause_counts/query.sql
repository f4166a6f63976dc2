SELECT id FROM orders WHERE id > 0 [[ AND price > << least >> ]] [[ OR day IN << days >> ]]
