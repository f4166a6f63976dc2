SELECT id
FROM orders
WHERE id = << x >>
-- error: [conflicting-types]
  AND status = << x >>
