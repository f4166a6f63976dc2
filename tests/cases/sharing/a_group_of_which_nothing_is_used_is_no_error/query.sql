/*--- { params_from: common_dates } ---*/
SELECT count(*) AS n FROM orders
