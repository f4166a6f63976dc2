SELECT id
FROM orders
WHERE price > 1
-- error: [invalid-clause]
  [[ AND status = << status >> ]
