SELECT id
FROM orders
WHERE quantity > << least >>
