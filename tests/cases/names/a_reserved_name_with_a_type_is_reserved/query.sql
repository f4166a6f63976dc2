SELECT id
FROM orders
-- error: [reserved-name]
LIMIT << limit: bigint = 10 >>
