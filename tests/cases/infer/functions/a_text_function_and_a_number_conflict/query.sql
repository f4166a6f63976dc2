SELECT id
FROM orders
WHERE upper(<< x >>) = status
-- error: [conflicting-types]
  AND id = << x >>
