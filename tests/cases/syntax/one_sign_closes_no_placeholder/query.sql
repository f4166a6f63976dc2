SELECT id
FROM orders
-- error: [unclosed-placeholder]
WHERE status = << status > ORDER BY id
