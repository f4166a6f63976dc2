/*--- { params_from: all } ---*/
SELECT id FROM orders WHERE quantity >= << least >> ORDER BY << sort >>, id
