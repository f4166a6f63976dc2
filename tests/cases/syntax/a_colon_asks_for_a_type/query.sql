SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE id = << id: >>
