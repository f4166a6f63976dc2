-- error: [invalid-clause]
SELECT id FROM orders WHERE quantity > 0 [[ ORDER BY << key >> ]]
