SELECT id
FROM orders
WHERE quantity > << least = 1 >>
