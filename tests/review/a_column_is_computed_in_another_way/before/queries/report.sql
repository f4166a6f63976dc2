SELECT id, round(price * 1.19, 2) AS gross FROM orders
