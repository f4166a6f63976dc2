SELECT id
FROM orders
-- error: [invalid-clause]
WHERE quantity > 0 [[ customer_id = << customer >> ]]
