SELECT id
FROM orders
-- error: [invalid-default]
WHERE status = << status = NULL >>
