SELECT id
FROM orders
WHERE id IN << numbers >>
