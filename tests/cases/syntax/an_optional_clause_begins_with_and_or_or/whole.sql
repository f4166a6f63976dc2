-- error: [invalid-clause]
SELECT id FROM orders [[ WHERE customer_id = << customer >> ]]
