/*--- { name: Query } ---*/
SELECT id FROM orders
