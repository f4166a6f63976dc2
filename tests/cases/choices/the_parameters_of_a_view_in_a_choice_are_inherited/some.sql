/*--- { kind: view } ---*/
SELECT id, price FROM orders WHERE status = << status >>
