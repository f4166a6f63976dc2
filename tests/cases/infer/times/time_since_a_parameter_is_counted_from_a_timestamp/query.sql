-- calls: 7
SELECT count(*) AS n
FROM orders
WHERE placed_at - << a >> > INTERVAL '24 hours' AND INTERVAL '2400 hours' >= placed_at - << b >>
