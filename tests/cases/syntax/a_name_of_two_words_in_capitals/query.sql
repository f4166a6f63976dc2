SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE status = << Status Name >>
