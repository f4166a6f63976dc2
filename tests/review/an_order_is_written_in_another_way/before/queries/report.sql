SELECT id, status, quantity FROM orders
ORDER BY price, id
