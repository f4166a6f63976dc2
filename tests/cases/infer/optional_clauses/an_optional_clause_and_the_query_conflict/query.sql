SELECT id
FROM orders
WHERE status = << x >>
-- error: [conflicting-types]
  [[ AND price * << x >> > 3 ]]
