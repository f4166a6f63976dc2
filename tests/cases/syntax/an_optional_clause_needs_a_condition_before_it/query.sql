SELECT id
FROM orders
-- error: [invalid-clause]
WHERE [[ AND status = << status >> ]]
