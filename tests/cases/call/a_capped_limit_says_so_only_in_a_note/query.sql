/*--- { result_limit: 4 } ---*/
SELECT id FROM orders WHERE id < 3 ORDER BY id
