SELECT count(*) AS n
FROM orders
WHERE id BETWEEN << x >> AND 9
-- error: [conflicting-types]
  AND status BETWEEN 'a' AND << x >>
