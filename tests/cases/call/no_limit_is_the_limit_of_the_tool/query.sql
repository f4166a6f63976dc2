/*--- { result_limit: 4 } ---*/
SELECT id FROM orders ORDER BY id
