/*--- { description: The number of orders. } ---*/
SELECT count(*) AS n
FROM orders
