SELECT [[1, 2], [3, 4]] AS matrix, [[id, customer_id]] AS pairs
FROM orders
