SELECT id
FROM orders
-- error: [invalid-default]
WHERE day >= << since = DATE '2024-02-30' >>
