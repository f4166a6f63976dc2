SELECT id
FROM orders
WHERE status = << x >>
-- error: [conflicting-types]
LIMIT << x >>
