SELECT id
FROM orders
-- error: [raw-placeholder]
WHERE id = :id
