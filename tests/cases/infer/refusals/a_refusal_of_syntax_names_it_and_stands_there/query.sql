SELECT id
FROM orders
-- error: [invalid-query]
WHERE status RLIKE << pattern: text >>
