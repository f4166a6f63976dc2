/*--- { name: first } ---*/
SELECT id FROM orders
