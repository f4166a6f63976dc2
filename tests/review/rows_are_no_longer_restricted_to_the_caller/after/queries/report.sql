SELECT id
FROM orders
WHERE quantity > 1
