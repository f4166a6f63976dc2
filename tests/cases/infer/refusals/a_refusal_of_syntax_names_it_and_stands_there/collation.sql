SELECT id
FROM orders
-- error: [invalid-query]
WHERE status COLLATE "de" = << status: text >>
