SELECT id
FROM orders
-- error: [invalid-default]
WHERE quantity >= << least = 1.5 >>
