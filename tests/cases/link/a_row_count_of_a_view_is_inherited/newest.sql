/*--- { kind: view } ---*/
SELECT id, price FROM orders ORDER BY id DESC LIMIT << newest >>
