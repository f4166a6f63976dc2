/*--- { expose: [table_format], result_limit: 2 } ---*/
SELECT id FROM orders ORDER BY id
