SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE day >= << since = 2024-01-31 >>
