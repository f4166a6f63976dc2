SELECT id
FROM orders
WHERE id = << x >>
-- error: [conflicting-types]
  OR id IN << x >>
