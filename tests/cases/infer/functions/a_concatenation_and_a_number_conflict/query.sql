SELECT count(*) AS n
FROM orders
WHERE id = << x >>
-- error: [conflicting-types]
  AND status || << x >> = 'open'
