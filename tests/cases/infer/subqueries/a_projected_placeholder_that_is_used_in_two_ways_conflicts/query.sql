SELECT count(*) AS n
FROM (SELECT << x >> AS x, status FROM orders) AS t
WHERE t.x = t.status
-- error: [conflicting-types]
  AND EXISTS (SELECT 1 FROM orders WHERE id = << x >>)
