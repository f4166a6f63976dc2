SELECT id
FROM orders
WHERE price > 2 AND quantity > 1
