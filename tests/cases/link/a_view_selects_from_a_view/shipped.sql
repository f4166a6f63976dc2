/*--- { kind: view } ---*/
SELECT id, quantity, price FROM orders WHERE status = 'shipped'
