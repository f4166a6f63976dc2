/*--- { kind: view } ---*/
SELECT id, status FROM orders WHERE true [[ AND price > << least >> ]]
