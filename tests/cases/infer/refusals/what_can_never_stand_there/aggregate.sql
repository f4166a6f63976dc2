SELECT status, count(*) AS n
FROM orders
-- error: [invalid-query]
WHERE sum(quantity) > 5
GROUP BY status
