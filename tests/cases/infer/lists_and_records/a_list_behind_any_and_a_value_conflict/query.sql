SELECT count(*) AS n
FROM orders
WHERE id = ANY(<< x >>)
-- error: [conflicting-types]
  AND id > << x >>
