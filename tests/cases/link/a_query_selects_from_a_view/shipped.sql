/*--- { kind: view } ---*/
SELECT id, quantity FROM orders WHERE status = 'shipped'
