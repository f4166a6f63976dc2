SELECT id
FROM orders
-- error: [invalid-name]
WHERE status = << orderStatus >>
