SELECT id, price AS cost FROM orders
