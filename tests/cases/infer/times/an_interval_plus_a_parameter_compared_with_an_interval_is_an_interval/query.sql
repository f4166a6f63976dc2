-- calls: 20, 0
SELECT count(*) AS n
FROM orders
WHERE << a >> + INTERVAL '1 day' = INTERVAL '3 days' AND placed_at - TIMESTAMP '2024-01-01T00:00:00' > << b >>
