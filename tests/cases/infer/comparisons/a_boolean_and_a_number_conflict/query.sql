SELECT id
FROM customers
WHERE vip = << x >>
-- error: [conflicting-types]
  AND id = << x >>
