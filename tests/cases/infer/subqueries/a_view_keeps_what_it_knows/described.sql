/*--- { kind: view } ---*/
SELECT id, note FROM orders WHERE note IS NOT NULL
