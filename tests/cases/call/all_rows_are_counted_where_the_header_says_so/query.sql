/*--- { count_total: true, result_limit: 3 } ---*/
SELECT id FROM orders WHERE quantity >= << least >> ORDER BY id
