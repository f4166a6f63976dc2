SELECT id
FROM orders
-- warning: [null-comparison]
WHERE price >= (SELECT max(price) FROM orders WHERE status = << status? >>)
