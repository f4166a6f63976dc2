/*--- { kind: view } ---*/
SELECT id FROM orders WHERE id < 6 [[ AND price BETWEEN << least >> AND << most >> ]]
