SELECT id
FROM orders
WHERE quantity > 1 AND price > 2
