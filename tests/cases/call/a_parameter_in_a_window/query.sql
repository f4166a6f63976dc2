SELECT id, status FROM orders QUALIFY row_number() OVER (PARTITION BY status ORDER BY price DESC, id) <= << top: bigint >> ORDER BY status, id
