SELECT id
FROM orders
WHERE day = << x >>
-- error: [conflicting-types]
  AND note LIKE << x >>
