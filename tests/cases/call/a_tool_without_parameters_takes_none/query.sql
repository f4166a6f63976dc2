/*--- { expose: [] } ---*/
SELECT count(*) AS orders FROM orders
