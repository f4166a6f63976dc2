SELECT count(*) AS n
FROM orders
-- error: [conflicting-types]
WHERE note LIKE << x: int >>
