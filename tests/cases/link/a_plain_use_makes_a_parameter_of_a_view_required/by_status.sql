/*--- { kind: view } ---*/
SELECT id, status FROM orders WHERE id < 6 [[ AND status = << status >> ]]
