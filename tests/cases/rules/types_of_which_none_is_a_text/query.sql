SELECT id FROM orders
-- error: [unknown-type]
WHERE quantity = << n: bigint | double >> LIMIT 5
