SELECT id
FROM orders
-- warning: [null-comparison]
WHERE status = << status = NULL >>
