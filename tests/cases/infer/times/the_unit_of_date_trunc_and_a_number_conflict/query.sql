SELECT id
FROM orders
WHERE date_trunc(<< x >>, placed_at) = TIMESTAMP '2024-01-01'
-- error: [conflicting-types]
  AND quantity = << x >>
