SELECT id
FROM orders
-- error: [conflicting-types]
WHERE id = << x: text >>
