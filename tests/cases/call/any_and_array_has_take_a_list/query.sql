SELECT id FROM orders WHERE id = ANY(<< ids: bigint[] >>) OR array_has(<< more: bigint[] >>, id) OR id IN << ids >> ORDER BY id
