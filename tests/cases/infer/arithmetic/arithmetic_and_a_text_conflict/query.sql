SELECT count(*) AS n
FROM orders
WHERE quantity + << x >> > 3
-- error: [conflicting-types]
  AND status = << x >>
