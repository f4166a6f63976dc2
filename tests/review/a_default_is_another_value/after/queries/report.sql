SELECT id
FROM orders
WHERE quantity > << least = 2 >>
