SELECT count(*) AS n
FROM orders
WHERE status IN << x >>
-- error: [conflicting-types]
   OR day IN << x >>
