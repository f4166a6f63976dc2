SELECT id
FROM orders
-- error: [conflicting-types]
WHERE status IN << x: text >>
