SELECT count(*) AS n
FROM orders
WHERE quantity > << x >>
-- error: [conflicting-types]
  AND note SIMILAR TO << x >>
