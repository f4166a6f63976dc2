SELECT count(*) AS n
FROM orders
WHERE status = << x >> AND << y >> > 5
-- error: [conflicting-types]
  AND << x >> > 5

-- error: [conflicting-types]
  AND note = << y >>
