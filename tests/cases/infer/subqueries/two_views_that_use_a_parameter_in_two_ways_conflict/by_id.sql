/*--- { kind: view } ---*/
SELECT id FROM orders WHERE id = << x >>
