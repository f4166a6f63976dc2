-- error: [invalid-query]
SELECT * REPLACE (quantity + << more: int >> AS quantity)
FROM orders
ORDER BY ALL
