SELECT id, named_struct('a', 1, 'b', 'x') AS r FROM orders
