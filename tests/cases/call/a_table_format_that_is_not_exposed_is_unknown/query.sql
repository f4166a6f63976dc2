/*--- { expose: [limit], table_format: csv } ---*/
SELECT id FROM orders ORDER BY id LIMIT 1
