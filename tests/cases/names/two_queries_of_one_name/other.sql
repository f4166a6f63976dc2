/*--- { name: Late Orders } ---*/
SELECT id FROM orders
