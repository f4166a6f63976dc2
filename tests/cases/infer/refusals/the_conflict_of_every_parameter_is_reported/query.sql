SELECT id
FROM orders
WHERE id = << x >> AND day = << y >>
-- error: [conflicting-types]
  AND status = << x >>

-- error: [conflicting-types]
  AND note = << y >>
