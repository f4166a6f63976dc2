SELECT id
FROM orders
-- error: [invalid-clause]
[[ status = << status >> ]]
ORDER BY id
