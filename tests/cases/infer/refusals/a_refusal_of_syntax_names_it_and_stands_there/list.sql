SELECT id
FROM orders
-- error: [invalid-query]
WHERE id IN UNNEST(<< ids: bigint[] >>)
