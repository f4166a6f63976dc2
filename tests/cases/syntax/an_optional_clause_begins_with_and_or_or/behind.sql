-- error: [invalid-clause]
SELECT id FROM orders WHERE quantity > 0 AND [[ customer_id IN << customers >> ]] OR note = 'x'
