SELECT count(*) AS n
FROM orders
WHERE << x >>
-- error: [conflicting-types]
   OR quantity = << x >>
