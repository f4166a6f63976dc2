SELECT id
FROM orders
-- error: [conflicting-types]
LIMIT << x: text >>
