SELECT id
FROM orders
-- error: [unknown-type]
WHERE id = << id: bigint? >>
