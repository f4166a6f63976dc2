SELECT count(*) AS n
FROM orders
-- error: [conflicting-types]
WHERE status = 'open' OR << x: text >>
