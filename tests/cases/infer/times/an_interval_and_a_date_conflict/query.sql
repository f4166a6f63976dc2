SELECT count(*) AS n
FROM orders
WHERE day + << x >> > DATE '2024-02-01'
-- error: [conflicting-types]
  AND day > << x >>
