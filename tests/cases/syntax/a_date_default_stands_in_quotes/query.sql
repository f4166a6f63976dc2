SELECT id
FROM orders
-- error: [invalid-default]
WHERE day >= << since = 2024-01-31 >>
