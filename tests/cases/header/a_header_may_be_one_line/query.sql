/*--- { title: All orders, description: Every order., result_limit: 5 } ---*/
SELECT id FROM orders
