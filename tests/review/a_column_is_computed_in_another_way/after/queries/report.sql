SELECT id, round(price * 1.20, 2) AS gross FROM orders
