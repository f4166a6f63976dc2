SELECT id
FROM orders
-- error: [syntax-error]
WHERE [[ AND status = << status >> ]]
