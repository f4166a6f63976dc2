SELECT count(*) AS n
FROM orders
WHERE CASE WHEN id > 3 THEN << x >> ELSE price END > 1
-- error: [conflicting-types]
  AND status = << x >>
