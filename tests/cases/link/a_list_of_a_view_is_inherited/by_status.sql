/*--- { kind: view } ---*/
SELECT id, status FROM orders WHERE status IN << statuses >>
