SELECT id, sum(quantity) OVER (ORDER BY placed_at RANGE BETWEEN << span: interval >> PRECEDING AND CURRENT ROW) AS n
FROM orders
WHERE placed_at > TIMESTAMP '2024-01-01 00:00:00' + CAST(<< n: int >> || ' days' AS INTERVAL) - INTERVAL 2 DAY
ORDER BY id
