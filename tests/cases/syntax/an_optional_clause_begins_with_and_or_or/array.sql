SELECT [[<< one: int >>, 2], [3, 4]] AS matrix FROM orders
