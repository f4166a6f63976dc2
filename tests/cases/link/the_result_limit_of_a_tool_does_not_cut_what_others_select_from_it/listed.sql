/*--- { result_limit: 2 } ---*/
SELECT id FROM orders
