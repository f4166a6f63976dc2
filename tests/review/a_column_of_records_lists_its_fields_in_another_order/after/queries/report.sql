SELECT id, named_struct('b', 'x', 'a', 1) AS r FROM orders
