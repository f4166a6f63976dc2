SELECT status, sum(price) AS amount
FROM orders
-- error: [unknown-column]
WHERE amount > 10
GROUP BY status
ORDER BY status
