/*--- { description: The number of orders. } ---*/
SELECT count(*) AS orders
FROM orders
