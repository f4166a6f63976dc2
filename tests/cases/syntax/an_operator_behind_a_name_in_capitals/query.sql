SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE price > << Net * 1.2 >>
