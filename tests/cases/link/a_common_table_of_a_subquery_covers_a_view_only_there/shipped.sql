/*--- { kind: view } ---*/
SELECT id FROM orders WHERE status = 'shipped'
