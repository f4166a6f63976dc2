/*--- { description: The most expensive orders., result_limit: 3 } ---*/
SELECT id, total FROM orders ORDER BY total DESC, id
