/*--- { params_from: [] } ---*/
SELECT count(*) AS n FROM orders
