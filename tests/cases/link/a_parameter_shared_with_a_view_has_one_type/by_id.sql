/*--- { kind: view } ---*/
SELECT id, status FROM orders WHERE id = << x >>
