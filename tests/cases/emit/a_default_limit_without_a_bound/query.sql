/*--- { description: Every order., result_limit: none, default_limit: 10 } ---*/
SELECT id FROM orders
