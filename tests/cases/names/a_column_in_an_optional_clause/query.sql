-- error: [unknown-column]
SELECT id FROM orders WHERE id > 0 [[ AND pryce > << least >> ]]
