SELECT count(*) AS n
FROM orders
WHERE << x >> <> 5
-- error: [conflicting-types]
  AND << x >> <> 'a'
