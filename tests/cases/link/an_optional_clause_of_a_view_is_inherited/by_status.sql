/*--- { kind: view } ---*/
SELECT id FROM orders WHERE id < 6 [[ AND status = << status >> ]]
