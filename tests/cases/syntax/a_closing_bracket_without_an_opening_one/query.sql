SELECT id
FROM orders
-- error: [syntax-error]
WHERE status = << status >> ]]
