/*--- { kind: view } ---*/
SELECT id, note FROM orders WHERE status = << status >>
