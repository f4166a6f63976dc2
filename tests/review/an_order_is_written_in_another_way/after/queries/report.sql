SELECT id, status, quantity FROM orders
ORDER BY price ASC, id ASC
