/*--- { kind: view } ---*/
SELECT id FROM orders
