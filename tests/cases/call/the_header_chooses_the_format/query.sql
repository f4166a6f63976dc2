/*--- { table_format: structured } ---*/
SELECT id, status FROM orders WHERE id = 1
