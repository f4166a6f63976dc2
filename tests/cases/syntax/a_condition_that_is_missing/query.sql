SELECT id
FROM orders
-- error: [syntax-error]
WHERE
