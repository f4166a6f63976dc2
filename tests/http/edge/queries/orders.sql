/*--- { name: count_orders, description: Number of orders in one state. } ---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
