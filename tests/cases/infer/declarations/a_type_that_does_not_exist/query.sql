SELECT id
FROM orders
-- error: [unknown-type]
WHERE id = << x: bigit >>
