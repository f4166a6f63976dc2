/*--- { result_limit: 5, default_limit: 2 } ---*/
SELECT id FROM orders ORDER BY id
