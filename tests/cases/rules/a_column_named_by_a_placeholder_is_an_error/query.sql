-- error: [unnamed-column]
SELECT id, quantity + << more: bigint >>
FROM orders
