SELECT id, price AS amount FROM orders
