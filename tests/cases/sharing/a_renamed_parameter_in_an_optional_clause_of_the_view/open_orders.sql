/*--- { kind: view } ---*/
SELECT id FROM orders WHERE status = 'open' [[ AND price < << most >> ]]
